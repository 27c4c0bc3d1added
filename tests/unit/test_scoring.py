"""Score files: one dict with metrics, n and the identity of the inputs; wrong inputs are one sentence."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.metrics.base import Metric

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.evaluation.metrics import bleu, chrf3
from rarewords.evaluation.scoring import UnigramInputs, score_files
from rarewords.evaluation.side_by_side import score_systems
from rarewords.text import moses
from rarewords.text.files import read_lines

HYPOTHESIS = ["Das alte Haus ist grün.", "Ein Baum."]
REFERENCE = ["Das Haus ist alt.", "Ein alter Baum."]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "hyp": HYPOTHESIS,
        "ref": REFERENCE,
        "hyp.tok": ["das alte Haus ist grün .", "ein Baum ."],
        "ref.tok": ["das Haus ist alt .", "ein alter Baum ."],
        "train": ["das Haus ist alt .", "das Haus .", "ein Baum ."],
        "empty": [],
        "blank": ["", " "],
        "short": ["Das Haus."],
        "long": [*REFERENCE, "Noch eins."],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def unigram(folder: Path, **changes: object) -> UnigramInputs:
    values: dict = {
        "train_text": folder / "train",
        "tokenised_hypothesis": folder / "hyp.tok",
        "tokenised_reference": folder / "ref.tok",
        "rare_rank": 3,
    }
    return UnigramInputs(**values | changes)


def test_all_scores_and_inputs(folder: Path) -> None:
    result = score_files(folder / "hyp", folder / "ref", unigram(folder))
    assert result["rarewords"] == __version__
    assert result["sentences"] == 2
    assert result["bleu"] == bleu(HYPOTHESIS, REFERENCE)
    assert result["chrf3"] == chrf3(HYPOTHESIS, REFERENCE)
    assert result["warnings"] == []
    assert list(result["inputs"]) == [
        "hypothesis",
        "reference",
        "train_text",
        "tokenised_hypothesis",
        "tokenised_reference",
    ]
    assert result["inputs"]["hypothesis"] == {
        "path": str(folder / "hyp"),
        "sha256": hashlib.sha256((folder / "hyp").read_bytes()).hexdigest(),
    }
    assert json.loads(json.dumps(result)) == result


def test_unigram_f1_of_the_training_text(folder: Path) -> None:
    # Ranks: . (3), das (2), Haus (2) | ist, alt, ein, Baum once each are rare; alte, alter, grün are unseen.
    f1 = score_files(folder / "hyp", folder / "ref", unigram(folder))["unigram_f1"]
    assert (f1["training_types"], f1["training_tokens"], f1["cut_frequency"]) == (7, 11, 2)
    classes = f1["classes"]
    assert (classes["all"]["matches"], classes["all"]["hypothesis_tokens"], classes["all"]["n"]) == (7, 9, 9)
    assert (classes["rare"]["matches"], classes["rare"]["hypothesis_tokens"], classes["rare"]["n"]) == (3, 3, 4)
    assert (classes["oov"]["matches"], classes["oov"]["hypothesis_tokens"], classes["oov"]["n"]) == (0, 2, 1)


def test_without_training_words_no_unigram_f1(folder: Path) -> None:
    result = score_files(folder / "hyp", folder / "ref")
    assert result["unigram_f1"] is None
    assert list(result["inputs"]) == ["hypothesis", "reference"]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "message"),
    [
        ("empty", "ref", "empty is empty; give a translation"),
        ("hyp", "empty", "empty is empty; give a translation"),
        ("hyp", "blank", "blank has only blank lines: a test set without a reference"),
        ("short", "ref", "short has 1 lines but .*ref has 2"),
        ("hyp", "long", "hyp has 2 lines but .*long has 3"),
        ("hyp", "absent", "absent: cannot be read"),
    ],
)
def test_wrong_raw_files(folder: Path, hypothesis: str, reference: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        score_files(folder / hypothesis, folder / reference)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train_text": None}, "give either a training text or its counts"),
        ({"train_counts": "counts"}, "give either a training text or its counts"),
        ({"tokenised_reference": None}, "give both or neither"),
        ({"tokenised_hypothesis": None, "tokenised_reference": None}, "needs the target language"),
        ({"train_text": "empty"}, "empty contains no words"),
        ({"train_text": "blank"}, "blank contains no words"),
        ({"tokenised_hypothesis": "short"}, "short has 1 lines but the raw reference has 2"),
        ({"tokenised_reference": "short"}, "short has 1 lines but the raw reference has 2"),
        ({"tokenised_hypothesis": "long"}, "long has more than 2 lines but the raw reference has 2"),
        ({"tokenised_reference": "long"}, "long has more than 2 lines but the raw reference has 2"),
        ({"tokenised_hypothesis": "long", "tokenised_reference": "long"}, "more than 2 lines"),
        ({"tokenised_hypothesis": "short", "tokenised_reference": "short"}, "short has 1 lines"),
    ],
)
def test_wrong_unigram_inputs(folder: Path, changes: dict, message: str) -> None:
    changes = {key: folder / value if value else None for key, value in changes.items()}
    with pytest.raises(InputError, match=message):
        score_files(folder / "hyp", folder / "ref", unigram(folder, **changes))


def test_an_empty_translation_of_a_line_is_a_translation(folder: Path) -> None:
    score = score_files(folder / "blank", folder / "ref", unigram(folder, tokenised_hypothesis=folder / "blank"))
    assert score["bleu"]["score"] == 0.0
    assert score["unigram_f1"]["classes"]["all"]["f1"] == 0.0


def test_warns_about_tokenised_hypothesis(folder: Path) -> None:
    (warning,) = score_files(folder / "hyp.tok", folder / "ref")["warnings"]
    assert "hyp.tok looks tokenised (2 of 2 lines end in ' .')" in warning


def test_one_line_of_many_does_not_make_a_text_tokenised(folder: Path) -> None:
    (folder / "mostly").write_text("Ein Haus.\n" * 9 + "Ein Haus .\n", encoding="utf-8")
    assert score_files(folder / "mostly", folder / "mostly")["warnings"] == []


def test_raw_text_is_normalised_tokenised_and_truecased(folder: Path) -> None:
    (folder / "hyp").write_text("„Das Haus“ ist alt …\nEin Baum.\n", encoding="utf-8")
    (folder / "ref").write_text('"Das Haus" ist alt...\nein Baum.\n', encoding="utf-8")
    train = "das Haus ist alt ...\nein Baum .\n"
    (folder / "train").write_text(train, encoding="utf-8")
    (folder / "model").write_text("das (9/9)\nein (5/5)\nHaus (3/3)\n", encoding="utf-8")

    def classes(model: Path | None) -> dict:
        inputs = UnigramInputs(train_text=folder / "train", language="de", truecase_model=model)
        return score_files(folder / "hyp", folder / "ref", inputs)["unigram_f1"]["classes"]

    # With the model both sides are equal, and only the two quotation marks are unseen.
    truecased = classes(folder / "model")
    assert truecased["oov"]["n"] == truecased["oov"]["matches"] == 2
    assert truecased["all"]["n"] == truecased["all"]["matches"] == 10
    # Without it, Das and Ein are unseen too, and Ein does not match ein.
    assert classes(None)["oov"]["hypothesis_tokens"] == 4
    assert classes(None)["all"]["matches"] == 9


def test_counts_file_equals_the_training_text(folder: Path) -> None:
    counts = "das 2\nHaus 2\nist 1\nalt 1\n. 3\nein 1\nBaum 1\n"
    (folder / "counts").write_text(counts, encoding="utf-8")
    from_counts = unigram(folder, train_text=None, train_counts=folder / "counts")
    expected = score_files(folder / "hyp", folder / "ref", unigram(folder))["unigram_f1"]
    assert score_files(folder / "hyp", folder / "ref", from_counts)["unigram_f1"] == expected


def test_each_text_is_tokenised_once_for_scores_and_comparison(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenised: list[str] = []
    original = moses.tokenise
    monkeypatch.setattr(moses, "tokenise", lambda line, *how: tokenised.append(line) or original(line, *how))
    inputs = UnigramInputs(train_text=folder / "train", language="de")
    found = score_systems({"a": folder / "hyp", "b": folder / "ref"}, folder / "ref", inputs, samples=10)
    lines = [*read_lines(folder / "hyp"), *read_lines(folder / "ref"), *read_lines(folder / "ref")]  # b, the reference
    assert sorted(tokenised) == sorted(lines)
    alone = {name: score_files(folder / path, folder / "ref", inputs) for name, path in (("a", "hyp"), ("b", "ref"))}
    assert found["systems"] == alone
    assert found["comparison"]["metrics"]["f1_all"]["b"]["score"] == 100


def test_every_sentence_is_counted_once_for_all_scores_and_the_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting n-grams takes nearly all of the time of `rarewords score`; chrF2 and chrF3 have the same ones."""
    counted: Counter[str] = Counter()

    def count(metric: type[Metric]) -> None:
        original = metric._compute_segment_statistics

        def counting(self: Metric, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[int]:
            counted[metric.__name__] += 1
            return original(self, hypothesis, ref_kwargs)

        monkeypatch.setattr(metric, "_compute_segment_statistics", counting)

    count(BLEU)
    count(CHRF)
    for name in ("a", "b", "reference"):
        (tmp_path / name).write_text("A line of text here.\n" * 40, encoding="utf-8")
    score_files(tmp_path / "a", tmp_path / "reference")
    assert counted == {"BLEU": 40, "CHRF": 40}
    score_systems({"a": tmp_path / "a", "b": tmp_path / "b"}, tmp_path / "reference", samples=3)
    assert counted == {"BLEU": 120, "CHRF": 120}


def test_a_longer_text_takes_no_more_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rarewords.text.streams._BYTES_AT_ONCE", 1000)
    monkeypatch.setattr("rarewords.evaluation.aligned.LINES_AT_ONCE", 100)
    counts = tmp_path / "counts"
    counts.write_text("a 2\nline 1\n", encoding="utf-8")

    def peak(lines: int) -> int:
        tokens = "".join(f"a line with word {number} .\n" for number in range(lines))  # each has an unseen word
        (tmp_path / "tokens").write_text(tokens, encoding="utf-8")
        (tmp_path / "text").write_text("A line of words.\n" * lines, encoding="utf-8")
        inputs = UnigramInputs(
            train_counts=counts, tokenised_hypothesis=tmp_path / "tokens", tokenised_reference=tmp_path / "tokens"
        )
        tracemalloc.start()
        score_files(tmp_path / "text", tmp_path / "text", inputs)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(600)  # what is imported and compiled once
    assert peak(2400) - peak(1200) < 1200 * 10  # bytes: the texts alone would be 200,000


@pytest.mark.parametrize("lines_at_once", [1, 3, 500])
def test_unequal_lengths_are_counted_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines_at_once: int
) -> None:
    monkeypatch.setattr("rarewords.evaluation.aligned.LINES_AT_ONCE", lines_at_once)
    for name, lines in (("four", 4), ("nine", 9)):
        (tmp_path / name).write_text("a line\n" * lines, encoding="utf-8")
    with pytest.raises(InputError, match=r"four has 4 lines but .*nine has 9: "):
        score_files(tmp_path / "four", tmp_path / "nine")
    with pytest.raises(InputError, match=r"nine has 9 lines but .*four has 4: "):
        score_files(tmp_path / "nine", tmp_path / "four")
    for tokenised, number in (("four", "4"), ("nine", "more than 6")):
        (tmp_path / "six").write_text("a line\n" * 6, encoding="utf-8")
        inputs = unigram_of(tmp_path, tokenised)
        with pytest.raises(InputError, match=f"{tokenised} has {number} lines but the raw reference has 6: "):
            score_files(tmp_path / "six", tmp_path / "six", inputs)


def unigram_of(folder: Path, tokenised: str) -> UnigramInputs:
    (folder / "counts").write_text("a 2\n", encoding="utf-8")
    return UnigramInputs(
        train_counts=folder / "counts",
        tokenised_hypothesis=folder / tokenised,
        tokenised_reference=folder / "six",
    )
