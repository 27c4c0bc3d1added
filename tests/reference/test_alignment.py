"""Alignment against fast_align's equations written out, and alignments by hand (local data, skipped without)."""

from __future__ import annotations

import gzip
import math
import os
from pathlib import Path

import pytest
from fast_align import P_NULL, Reference

from rarewords.alignment.aligner import AlignmentFiles, align_text
from rarewords.alignment.error_rate import ErrorRate, read_gold
from rarewords.alignment.links import read_links
from rarewords.text.files import read_lines
from rarewords.text.moses import tokenise

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data/demo/gnome-help/en-de"
# Local data: the folder that RAREWORDS_DATA names, or one called data in a folder beside the repository.
BESIDE = next((path.parent for path in sorted(ROOT.parent.glob("*/data/gold-alignment-de-en"))), Path("absent"))
DATA = Path(os.environ.get("RAREWORDS_DATA", BESIDE))


def align(folder: Path, pairs: list[tuple[str, str]]) -> list[list[list[tuple[int, int]]]]:
    """Links of every pair, forward, reverse, symmetrised."""
    files = AlignmentFiles(folder / "forward", folder / "reverse", folder / "symmetrised")
    align_text(pairs, "thot", files, lambda text: None)
    return [list(read_links(path)) for path in (files.forward, files.reverse, files.symmetrised)]


def demo_pairs(lines: int) -> list[tuple[list[str], list[str]]]:
    sides = []
    for language in ("en", "de"):
        with gzip.open(DEMO / f"train.{language}.gz", "rt", encoding="utf-8") as stream:
            sides.append([tokenise(line, language).split(" ") for _, line in zip(range(lines), stream)])
    return list(zip(*sides))


@pytest.mark.slow
def test_links_are_those_of_the_equations(tmp_path: Path) -> None:
    pairs = demo_pairs(50)
    forward, reverse, _ = align(tmp_path, [(" ".join(source), " ".join(target)) for source, target in pairs])
    expected = Reference(pairs, iterations=4)
    assert forward == [expected.align(*pair) for pair in pairs]
    turned = [(target, source) for source, target in pairs]
    expected = Reference(turned, iterations=4)
    assert reverse == [[(i, j) for j, i in expected.align(*pair)] for pair in turned]


@pytest.mark.slow
def test_the_librarys_parameters_are_those_of_the_equations() -> None:
    from thot.alignment import FastAlignModel

    pairs = demo_pairs(20)
    model = FastAlignModel()
    for source, target in pairs:
        model.add_sentence_pair(source, target)
    model.start_training()
    for iteration in (1, 2, 3, 4):
        model.train()
        expected = Reference(pairs, iteration)
        for n, m in ((3, 3), (7, 4), (4, 9)):
            for j in range(1, m + 1):
                found = [model.alignment_prob(j, n, m, i) for i in range(n + 1)]
                assert found == pytest.approx(expected.prior(j, n, m), rel=1e-6)
        for word, row in expected.t.items():
            source = 0 if word is None else model.get_src_word_index(word)
            for other, probability in row.items():
                found = model.translation_prob(source, model.get_trg_word_index(other))
                assert found == pytest.approx(
                    probability, rel=2e-3, abs=1e-12
                )  # the library keeps its counts in float32


def test_prior_of_three_words_on_each_side() -> None:
    from thot.alignment import FastAlignModel

    rows = [(0.6901, 0.1819, 0.0480), (0.1588, 0.6024, 0.1588), (0.0480, 0.1819, 0.6901)]
    model, reference = FastAlignModel(), Reference([], 0)
    for j, row in enumerate(rows, 1):
        assert [round(model.alignment_prob(j, 3, 3, i), 4) for i in range(4)] == [P_NULL, *row]
        assert [round(value, 4) for value in reference.prior(j, 3, 3)] == [P_NULL, *row]
        assert math.isclose(sum(reference.prior(j, 3, 3)), 1)


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "gold-alignment-de-en").is_dir(), reason="no local data: set RAREWORDS_DATA")
def test_error_rate_on_alignments_by_hand(tmp_path: Path) -> None:
    """German-English, 5,000 pairs of Europarl and the 100 of the test: 0.310, 0.332 and 0.322 were measured."""
    sides = []
    for language in ("de", "en"):
        train = read_lines(DATA / "europarl-20k-en-de" / f"train.{language}.gz")
        text = [tokenise(line, language).lower() for line, _ in zip(train, range(5000))]
        sides.append([*text, *read_lines(DATA / "gold-alignment-de-en" / f"test.{language}")])
    gold = read_gold(DATA / "gold-alignment-de-en" / "test.de-en.align")
    rates = []
    for direction in align(tmp_path, list(zip(*sides))):
        rate = ErrorRate()
        for links, marked in zip(direction[-len(gold) :], gold):
            rate.add(links, marked)
        rates.append(rate.as_json()["error_rate"])
    assert (len(gold), rate.sure) == (100, 1233)
    assert rates[0] < 0.33
    assert rates[1] < 0.35
    assert rates[2] < 0.34
