"""JSON and YAML that is read: limits, shapes, and the checksum in our own files."""

import hashlib
import json
import random

import pytest

from rarewords.errors import InputError
from rarewords.text import shapes
from rarewords.text.documents import Kind, check_tree, fitted, parse_json, parse_yaml, read_json, write_json

VALUE = {"language": "de", "größe": 3, "rates": [0.5, 1e-7], "units": {"a@@": 2, "b": 1}}


def test_the_checksum_is_that_of_the_file_without_it(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, VALUE)
    without = json.dumps(VALUE, ensure_ascii=False, indent=1) + "\n"
    assert json.loads(path.read_text())["sha256"] == hashlib.sha256(without.encode()).hexdigest()
    assert read_json(path) == VALUE
    path.write_text(without)  # of an earlier version
    assert read_json(path) == VALUE


def test_every_flipped_bit_is_noticed_or_changes_nothing(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, VALUE)
    good = path.read_bytes()
    for place in range(len(good)):
        for bit in range(8):
            path.write_bytes(good[:place] + bytes([good[place] ^ 1 << bit]) + good[place + 1 :])
            try:
                found = read_json(path)
            except InputError:
                continue
            # only the name of the key itself is left, which then is a key that no kind of file knows
            assert {key: found[key] for key in VALUE} == VALUE
            assert len(found) in (len(VALUE), len(VALUE) + 1)


def test_a_file_that_is_cut_short_or_goes_on_is_refused(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, VALUE)
    good = path.read_bytes()
    for content in (b"", *(good[: random.Random(k).randrange(len(good) - 1)] for k in range(50)), good + b"{}"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"a\.json"):
            read_json(path)


def test_a_changed_file_is_taken_again_without_its_checksum(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, {"beam": 12})
    path.write_text(path.read_text().replace("12", "13"))
    with pytest.raises(InputError, match=r'its checksum differs.*remove the line "sha256"'):
        read_json(path)
    path.write_text('{\n "beam": 13\n}\n')
    assert read_json(path) == {"beam": 13}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[" * 100_000, "too many levels"),
        ('{"a": ' * 100_000, "too many levels"),
        ("9" * 5000, "very many digits"),
        ("1e999", "too large"),
        ("[NaN]", "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ('{"a": 1, "a": 2}', "'a' is there twice"),
        ('["\\ud800"]', "half a character"),
        ("", "not JSON"),
        ('{"a": 1', "not JSON"),
    ],
)
def test_what_nobody_can_compute_with_is_one_sentence(text, complaint):
    with pytest.raises(InputError, match=f"^x.*{complaint}"):
        parse_json(text, "x")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 2026-02-30", "a date or number"),
        ("a: " + "9" * 5000, "very many digits"),
        ("a: &x [*x]", "an anchor inside itself"),
        ("a: &x {b: *x}", "an anchor inside itself"),
        ("[" * 5000, "too many levels"),
        ("no: 1", "the key False is not text: put it in quotes"),
        ("~: 1", "the key None is not text"),
        ("1: x", "the key 1 is not text"),
        ("a: [", "not a YAML file"),
        ("a: !!python/object:os.system x", "not a YAML file"),
        (
            "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
            + "\n".join(f"a{k}: &a{k} [{','.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 9)),
            "more than 1,000,000 values",
        ),
    ],
)
def test_what_no_configuration_can_be_is_one_sentence(text, complaint):
    with pytest.raises(InputError, match=f"^x.*{complaint}"):
        parse_yaml(text, "x")


def test_ordinary_aliases_stay():
    value = parse_yaml("a: &x [1, 2]\nb: *x", "x")
    assert value == {"a": [1, 2], "b": [1, 2]}
    check_tree(value, "x")


KIND = Kind(
    "a thing",
    shapes.record(
        {"beam": shapes.whole(1, 1000), "on": shapes.flag},
        {
            "rate": shapes.number(0, 1),
            "name": shapes.text("[a-z]+"),
            "counts": shapes.map_of(shapes.whole(), 2),
            "list": shapes.list_of(shapes.text(), 2),
            "mode": shapes.optional(shapes.one_of("a", 1)),
            "rest": shapes.anything(2),
        },
    ),
    "make it again",
)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"beam": 0}, "beam: 0 is not a whole number from 1 to 1000"),
        ({"beam": 10**9}, "beam: 1000000000 is not a whole number"),
        ({"beam": 12.0}, "beam: 12.0 is not a whole"),
        ({"beam": True}, "beam: True is not a whole"),
        ({"beam": "12"}, "beam: '12' is not a whole"),
        ({"beam": 10**4000}, "an integer of very many digits is not a whole"),
        ({"on": "no"}, "on: 'no' is neither true nor false"),
        ({"on": 1}, "on: 1 is neither"),
        ({"rate": 1.5}, "rate: 1.5 is not a number from 0 to 1"),
        ({"rate": 10**400}, "rate: an integer of very many digits is not a number"),
        ({"rate": None}, "rate: None is not a number"),
        ({"name": "a\n"}, "name: 'a.n' is not text"),
        ({"name": []}, "name: a list is not text"),
        ({"counts": {"a": -1}}, "counts.a: -1 is not a whole"),
        ({"counts": {"a": 1, "b": 1, "c": 1}}, "counts: a map is not a map of at most 2"),
        ({"list": ["x", 1]}, "list, value 2: 1 is not text"),
        ({"list": {}}, "list: a map is not a list"),
        ({"mode": True}, "mode: True is not one of"),
        ({"rest": [[1]]}, "rest: it has more than 2 levels"),
        ({"other": 1}, "the key 'other' is unknown"),
    ],
)
def test_a_value_that_is_not_of_its_shape(change, complaint):
    good = {"beam": 12, "on": True}
    assert fitted(good, KIND, "x") == good
    with pytest.raises(InputError, match=rf"^x: not a thing \(.*{complaint}.*\); make it again\.$"):
        fitted(good | change, KIND, "x")


def test_missing_keys_and_other_values():
    for value, complaint in (
        ({"beam": 1}, "the key 'on' is missing"),
        ([], "a list is not a map"),
        (None, "None is not"),
    ):
        with pytest.raises(InputError, match=complaint):
            fitted(value, KIND, "x")


def test_plain_digits():
    assert shapes.natural("012") == 12
    assert [shapes.natural(text) for text in ("", "-1", "1.0", "٣", "²", "9" * 5000)] == [None] * 6
