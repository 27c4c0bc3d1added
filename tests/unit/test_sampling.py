"""Random segmentations of training text: they restore, repeat, differ between copies, and reach training in turn."""

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.bpe.apply import Bpe
from rarewords.segmentation.sampling import sampled_lines
from rarewords.training.batches import epoch_batches
from rarewords.training.encoded import encode_pairs, load_pairs
from rarewords.vocabulary import Vocabulary

WORDS = {
    stem + ending: 3
    for stem in ("arbeit", "haus", "spiel", "frag", "матер")
    for ending in ("e", "en", "er", "es", "@@")
}
SETTINGS = {
    "bpe": {"merges": 40},
    "bpe-joint": {"merges": 40},
    "bpe-joint-iso9": {"merges": 40},
    "bpe-bytes": {"merges": 40},
    "source-bytes": {"merges": 40},
    "bpe-rules": {"merges": 40},
    "sentencepiece": {"vocabulary": 60, "placeholders": 1},
}
FITTED = {name: registry.create(name, given, [WORDS, WORDS], ["en", "ru"])[1] for name, given in SETTINGS.items()}
WORD = st.one_of(
    st.sampled_from(list(WORDS)), st.text(st.characters(exclude_characters=" \n", exclude_categories=["Cs"]))
)

each_method = pytest.mark.parametrize("method", list(SETTINGS))


def strengths(method: str, value: float) -> dict[str, float | None]:
    return {"dropout": None, "alpha": None} | {FITTED[method].offers.sampling: value}


def test_the_methods_with_random_segmentations_are_tested():
    assert {name for name, method in registry.METHODS.items() if method.offers.sampling} == set(SETTINGS)


@each_method
@given(words=st.lists(WORD.filter(bool)), seed=st.integers(0, 99))
def test_restore_undoes_random_segmentations(method, words, seed):
    segmenter = FITTED[method]
    line = segmenter.segment_text_at_random(" ".join(words), 0.4, Random(seed))
    assert segmenter.restore(line.split(" ")) == (words or [""])


@each_method
def test_copies_differ_and_can_be_repeated(method, tmp_path):
    text = tmp_path / "text"
    text.write_text("arbeiten hauser spielen\nфразы матере\n" * 4, encoding="utf-8")
    first, again, other = (list(sampled_lines(FITTED[method], strengths(method, 0.3), text, 3, s)) for s in (1, 1, 2))
    assert first == again != other
    assert len(first) == 24
    assert len({tuple(first[start : start + 8]) for start in (0, 8, 16)}) == 3
    assert len(set(first[::2])) > 3  # equal lines of one copy differ, too


@each_method
def test_another_process_draws_the_same(method, tmp_path):
    (tmp_path / "text").write_text("arbeiten hauser spielen\n" * 8, encoding="utf-8")
    FITTED[method].save(tmp_path / "segmenter")
    here = list(sampled_lines(FITTED[method], strengths(method, 0.3), tmp_path / "text", 2, 1))
    options = {"dropout": "--dropout=0.3"}.get(FITTED[method].offers.sampling, "--alpha=0.3")
    command = [sys.executable, "-c", "from rarewords.cli import main; main()", "segment", "sample", options]
    command += ["--segmenter=segmenter", "--copies=2", "--seed=1", "--input=text", "--output=out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "out").read_text(encoding="utf-8").splitlines() == here


def test_dropout_is_that_of_the_released_tool(tmp_path):
    """`Bpe.cut_at_random` is held equal to the released tool elsewhere."""
    text = tmp_path / "text"
    text.write_text("arbeiten hausen\n", encoding="utf-8")
    segmenter = FITTED["bpe"]
    random = Random("7/1/0")
    bpe = Bpe(segmenter.merges, "0.2")
    expected = " ".join("@@ ".join(bpe.cut_at_random(word, 0.5, random.random)) for word in ("arbeiten", "hausen"))
    assert list(sampled_lines(segmenter, strengths("bpe", 0.5), text, 2, 7))[1] == expected


def test_a_sharp_distribution_is_the_best_segmentation():
    segmenter = FITTED["sentencepiece"]
    words = [word for word in WORDS if "@" not in word]
    line = segmenter.segment_text_at_random(" ".join(words), 1000, Random(1))
    assert line == segmenter.segment_text(" ".join(words))
    assert segmenter.segment_text_at_random("placeholder-1", 0, Random(1)) == "placeholder-1"


def test_wrong_strengths(tmp_path):
    text = tmp_path / "text"
    text.write_text("low\n")
    words = registry.create("words", {}, [WORDS], ["en"])[0]
    with pytest.raises(InputError, match="words cuts each word in only one way"):
        sampled_lines(words, {"dropout": 0.1, "alpha": None}, text, 1, 1)
    for wrong in ({"dropout": None, "alpha": 0.1}, {"dropout": 0.1, "alpha": 0.1}):
        with pytest.raises(InputError, match="bpe needs --dropout, and nothing else"):
            sampled_lines(FITTED["bpe"], wrong, text, 1, 1)
    with pytest.raises(InputError, match="several times"):
        sampled_lines(FITTED["bpe"], strengths("bpe", 0.1), "-", 1, 1)


@pytest.fixture
def encoded(tmp_path, monkeypatch):
    """Two copies of four pairs; the units name copy and line. Line 2 of the second copy is too long."""
    monkeypatch.chdir(tmp_path)
    lines = [f"c{copy} l{line}" + " c0 c0" * (copy == 1 and line == 2) for copy in range(2) for line in range(4)]
    for side in ("source", "target"):
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    Vocabulary({f"{kind}{number}": 1 for kind in "cl" for number in range(4)}).save("vocabulary")
    assert encode_pairs("source", "target", "vocabulary", "vocabulary", "pairs", copies=2) == 8
    return tmp_path / "pairs"


def test_every_pass_takes_the_next_copy(encoded):
    corpus = load_pairs(encoded, maximum=3)
    passes = [sorted(np.concatenate(epoch_batches(corpus, 2, 1, epoch)).tolist()) for epoch in range(4)]
    assert passes == [[0, 1, 2, 3], [4, 5, 7], [0, 1, 2, 3], [4, 5, 7]]
    orders = [np.concatenate(epoch_batches(corpus, 1, 1, epoch)).tolist() for epoch in (0, 2)]
    assert orders[0] != orders[1]


@pytest.mark.usefixtures("encoded")
def test_copies_must_divide_the_text():
    with pytest.raises(InputError, match="source: 8 lines are not 3 copies of a text"):
        encode_pairs("source", "target", "vocabulary", "vocabulary", "other", copies=3)
    assert load_pairs("pairs", 9).copies == 2


def test_from_text_to_vocabulary_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FITTED["bpe"].save("ru.json")
    (tmp_path / "text").write_text("arbeiten hausen\n" * 20, encoding="utf-8")
    (tmp_path / "counts").write_text("arbeiten 20\nhausen 20\n", encoding="utf-8")

    def run(*arguments: str) -> None:
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, repr(result.exception)

    sample = ("segment", "sample", "--segmenter=ru.json", "--dropout=0.3", "--copies=2", "--input=text", "--output=out")
    run(*sample)
    assert len((tmp_path / "out").read_text(encoding="utf-8").splitlines()) == 40
    run("vocabulary", "build", "--segmenter=ru.json", "--text=out", "--size=100", "--output=sampled")
    run("vocabulary", "build", "--segmenter=ru.json", "--counts=counts", "--size=100", "--output=plain")
    sampled, plain = Vocabulary.load("sampled"), Vocabulary.load("plain")
    assert set(plain.units) < set(sampled.units)
    assert sum(sampled.counts.values()) > 2 * sum(plain.counts.values())
    result = CliRunner().invoke(cli, ["vocabulary", "build", "--segmenter=ru.json", "--size=9", "--output=x"])
    assert "either --counts or --text" in str(result.exception)
