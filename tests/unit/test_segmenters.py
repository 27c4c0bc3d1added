"""What all segmentations promise: restoring, files, settings; and the joiner's rule for words that end in `@@`."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.segmentation import joiner, registry
from rarewords.segmentation.bpe.segmenter import BpeSegmenter, JointBpeSegmenter
from rarewords.segmentation.protocol import Segmenter

COUNTS = [
    {"low": 5, "lower": 2, "newest": 6, "widest": 3, "@@": 4, "a@@": 3, "@-@": 5},
    {"мать": 4, "Матерь": 2, "lower": 2, "@@@": 3, "a@@b@@": 2, "</w>": 3},
]
LANGUAGES = ["en", "ru"]
SETTINGS = {
    "words": {},
    "char-ngrams": {"shortlist": 3},
    "bpe": {"merges": 40},
    "bpe-joint": {"merges": 40, "version": "0.1"},
    "bpe-joint-iso9": {"merges": 40},
    "bpe-bytes": {"merges": 40, "joint": True},
    "source-bytes": {"merges": 40},
    "bpe-rules": {"merges": 40, "wrapped": [["@a", "b@"], ["low", "t"]], "sample": 0.9},
    "morfessor": {},
    "hyphenation": {},
    "sentencepiece": {"vocabulary": 60, "placeholders": 2},
    "wordpiece": {"vocabulary": 60},
    "cleaned": {"segmentation": {"method": "bpe", "merges": 40}, "clean": {"mentions": False}},
}
ONE_WAY = {"compound-splitting"}
OF_RAW_TEXT = {"raw-bytes"}  # restores the words of raw text, see test_raw_text.py
FITTED = {method: registry.create(method, given, COUNTS, LANGUAGES) for method, given in SETTINGS.items()}

CHARACTERS = st.characters(exclude_characters=" ", exclude_categories=["Cs"])
WORDS = st.one_of(
    st.text(CHARACTERS, min_size=1),
    st.text("@#ab1+", min_size=1),
    st.text("▁lowest", min_size=1),
    st.text("матьlow</>@", min_size=1),
    st.sampled_from([word for side in COUNTS for word in side]),
)

each_method = pytest.mark.parametrize("method", list(SETTINGS))


def test_every_method_is_tested():
    assert set(SETTINGS) | ONE_WAY | OF_RAW_TEXT == set(registry.METHODS)
    assert {method for method, segmenter in registry.METHODS.items() if not segmenter.offers.restorable} == ONE_WAY


@each_method
@settings(max_examples=150, deadline=None)
@given(words=st.lists(WORDS))
def test_restore_undoes_segment(method, words):
    for segmenter in FITTED[method][method == "cleaned" :]:  # its source side is cleaned for good
        assert segmenter.restore(segmenter.segment(words)) == words


@pytest.mark.parametrize("method", ["bpe", "bpe-joint", "bpe-joint-iso9", "bpe-bytes", "source-bytes"])
@settings(max_examples=100, deadline=None)
@given(words=st.lists(WORDS), allowed=st.sets(st.sampled_from(["low", "lo@@", "a@@", "@@@", "@", "ma@@"])))
def test_restore_undoes_segment_with_a_vocabulary(method, words, allowed):
    for segmenter in FITTED[method]:
        assert isinstance(segmenter, BpeSegmenter)
        assert segmenter.restore(segmenter.restricted_to(allowed).segment(words)) == words


@each_method
@given(words=st.lists(WORDS, max_size=5))
def test_text_replacement_undoes_segment_too(method, words):
    if method in ("words", "bpe-bytes"):
        return  # there is no mark to remove, or there are bytes to decode
    line = " ".join(FITTED[method][1].segment(words))
    assert line.replace(" ##" if method == "wordpiece" else "@@ ", "") == " ".join(words)


@each_method
@given(word=WORDS)
def test_the_last_unit_never_looks_like_an_inner_one(method, word):
    *inner, last = FITTED[method][1].segment_word(word)
    if method not in ("words", "wordpiece"):
        assert all(unit.endswith("@@") for unit in inner)
        assert not last.endswith("@@")


@given(word=WORDS)
def test_the_first_unit_of_wordpiece_never_looks_like_an_inner_one(word):
    first, *inner = FITTED["wordpiece"][1].segment_word(word)
    assert all(unit.startswith("##") for unit in inner)
    assert not first.startswith("##")


@each_method
def test_segment_is_word_by_word(method):
    segmenter = FITTED[method][0]
    words = ["lowest", "newer", "low"]
    assert segmenter.segment(words) == [unit for word in words for unit in segmenter.segment_word(word)]


@each_method
def test_empty_words_and_no_words(method):
    segmenter = FITTED[method][0]
    assert segmenter.restore(segmenter.segment(["", "low", "", ""])) == ["", "low", "", ""]
    assert segmenter.restore(segmenter.segment([])) == []


def test_changing_a_result_does_not_change_the_segmenter():
    segmenter = FITTED["bpe"][0]
    segmenter.segment_word("newer").clear()
    assert "".join(segmenter.segment_word("newer")).replace("@@", "") == "newer"


@pytest.mark.parametrize(
    ("parts", "units"),
    [
        (["lo", "west"], ["lo@@", "west"]),
        (["low"], ["low"]),
        (["a@", "b"], ["a@@@", "b"]),
        (["@@", "b"], ["@@@@", "b"]),
        (["@@"], ["@@@", "@"]),
        (["x", "a@@"], ["x@@", "a@@@", "@"]),
        (["a", "@"], ["a@@", "@"]),
    ],
)
def test_joiner(parts, units):
    assert joiner.mark(parts) == " ".join(units)
    assert joiner.join(units) == ["".join(parts)]


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (["lo@@", "w", "ne@@"], ["low", "ne"]),
        (["lo@@", "we@@"], ["lowe"]),
        (["low", "@@"], ["low"]),
        (["@@"], []),
        ([], []),
    ],
)
def test_a_dangling_joiner_is_removed(units, words):
    assert FITTED["bpe"][0].restore(units) == words


def test_words_know_no_joiner():
    segmenter = FITTED["words"][0]
    assert segmenter.restore(["foo@@", "@@"]) == ["foo@@", "@@"]


@each_method
def test_save_and_load(method, tmp_path):
    for segmenter in FITTED[method]:
        path = tmp_path / f"{segmenter.language}.json"
        segmenter.save(path)
        stored = json.loads(path.read_text(encoding="utf-8"))
        assert (stored["version"], stored["language"]) == (1, segmenter.language)
        assert (stored["method"] == method) == (method != "source-bytes")  # which has segmenters of two others
        for loaded in (registry.load(path), type(segmenter).load(path)):
            assert type(loaded) is type(segmenter)
            assert loaded.to_json() == segmenter.to_json()
            words = [word for side in COUNTS for word in side] + ["lowest", "матери"]
            assert loaded.segment(words) == segmenter.segment(words)


def test_saved_files_are_the_same_each_time(tmp_path):
    for run in ("first", "second"):
        registry.create("bpe-joint", {"merges": 40}, COUNTS, LANGUAGES)[1].save(tmp_path / run)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"method": "bpe-jont"}, "did you mean 'bpe-joint'"),
        ({"method": 5}, "not a segmenter"),
        ({"version": 2}, "version 2"),
        ({"data": ["l o", "lo"]}, "damaged"),
        ({"data": None}, "damaged"),
        ({"settings": {"merges": 5, "speed": 1}}, "unknown setting 'speed'"),
    ],
)
def test_damaged_files(change, complaint, tmp_path):
    path = tmp_path / "bpe.json"
    path.write_text(json.dumps(FITTED["bpe"][0].to_json() | change), encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        registry.load(path)


def test_files_of_other_kinds(tmp_path):
    path = tmp_path / "list.json"
    path.write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(InputError, match=r"list\.json: not a segmenter"):
        registry.load(path)
    FITTED["bpe"][0].save(path)
    with pytest.raises(InputError, match=r"list\.json: not a segmenter of the method bpe-joint;"):
        JointBpeSegmenter.load(path)


def test_unknown_method_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'bpe-joint-iso9'"):
        registry.create("bpe-joint-iso", {}, COUNTS, LANGUAGES)


@pytest.mark.parametrize("method", ["bpe", "bpe-joint", "bpe-joint-iso9", "bpe-bytes", "bpe-rules", "source-bytes"])
@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "'merges' is missing"),
        ({"merge": 5}, "unknown setting 'merge'; did you mean 'merges'"),
        ({"merges": 5, "min_frequency": 1}, "did you mean 'minimum_frequency'"),
        ({"merges": -1}, "0 or more"),
        ({"merges": "5"}, "whole number"),
        ({"merges": 5, "minimum_frequency": 0}, "1 or more"),
        ({"merges": 5, "version": "0.3"}, r"must be 0\.1 or 0\.2"),
        ({"merges": 5, "tie_break": "last"}, r"'tie_break' is 'last'; it must be larger or first"),
    ],
)
def test_wrong_bpe_settings(method, given, complaint):
    with pytest.raises(InputError, match=f"segmentation {method}: .*{complaint}"):
        registry.create(method, given, COUNTS, LANGUAGES)


def test_words_have_no_settings():
    with pytest.raises(InputError, match="unknown setting 'merges'"):
        registry.create("words", {"merges": 5}, COUNTS, LANGUAGES)


def test_a_version_without_quotes_is_understood():
    assert registry.create("bpe", {"merges": 0, "version": 0.1}, COUNTS, LANGUAGES)[0].settings["version"] == "0.1"


def test_separate_and_joint_bpe_differ_in_what_they_count():
    counts = [{"ab": 1, "cd": 2}, {"ab": 2}]
    separate = registry.create("bpe", {"merges": 1}, counts, LANGUAGES)
    joint = registry.create("bpe-joint", {"merges": 1}, counts, LANGUAGES)
    assert [merges(side) for side in separate] == [[("c", "d</w>")], [("a", "b</w>")]]
    assert [merges(side) for side in joint] == [[("a", "b</w>")], [("a", "b</w>")]]


def test_the_version_is_used():
    old, new = (registry.create("bpe", {"merges": 1, "version": v}, [{"ab": 3}], ["en"])[0] for v in ("0.1", "0.2"))
    assert merges(old) == [("b", "</w>")]
    assert merges(new) == [("a", "b</w>")]


def test_summary_tells_of_fewer_merges():
    few = registry.create("bpe", {"merges": 9}, [{"ab": 3}], ["en"])[0]
    assert few.summary() == "1 of 9 merges: no further pair occurs 2 times"


def merges(segmenter: Segmenter) -> list[tuple[str, str]]:
    assert isinstance(segmenter, BpeSegmenter)
    return segmenter.merges


@each_method
def test_flipped_bits_in_a_segmenter_file_are_noticed(method, tmp_path):
    path, draw = tmp_path / "x.json", random.Random(8)
    FITTED[method][0].save(path)
    good = path.read_bytes()
    for _ in range(50):
        place = draw.randrange(len(good))
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :])
        with pytest.raises(InputError, match=r"x\.json"):
            registry.load(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"language": 3},
        {"settings": []},
        {"version": "1"},
        {"data": None},
        {"data": [["a", "b"]]},
        {"data": [7]},
        {"method": ["bpe"]},
        {"more": 1},
        {"data": json.loads("[" * 200 + "]" * 200)},
    ],
)
def test_a_segmenter_file_of_other_types_is_one_sentence(changes, tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(FITTED["bpe"][0].to_json() | changes), encoding="utf-8")
    with pytest.raises(InputError, match=r"x\.json: "):
        registry.load(path)
