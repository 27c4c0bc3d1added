"""The Python interface for other programs: its names, segmentation and scoring from texts."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rarewords
from rarewords import InputError, Segmenter, fit_segmenters, load_segmenter

GERMAN = ["der Hund", "der hohe Hund", "die Hunde"]


def test_every_public_name_can_be_imported() -> None:
    assert {"Translator", "fit_segmenters", "bleu"} <= set(rarewords.__all__) <= set(dir(rarewords))
    assert all(getattr(rarewords, name) is not None for name in rarewords.__all__)


def test_one_text_is_enough(tmp_path) -> None:
    segmenters = fit_segmenters("bpe", {"de": (f"{line}\n" for line in GERMAN)}, merges=2)
    assert list(segmenters) == ["de"]
    # (u, n) and (H, u) occur three times each; the larger pair is merged first, then (H, un)
    counted = fit_segmenters("bpe", {"de": {"der": 2, "Hund": 2, "hohe": 1, "die": 1, "Hunde": 1}}, merges=2)
    assert segmenters["de"].to_json() == counted["de"].to_json()
    assert segmenters["de"].segment_text("Hund der") == "Hun@@ d d@@ e@@ r"
    segmenters["de"].save(tmp_path / "de.json")
    loaded = load_segmenter(tmp_path / "de.json")
    assert isinstance(loaded, Segmenter)
    assert loaded.restore(loaded.segment(["Hunde"])) == ["Hunde"]


def test_joint_segmentation_looks_at_all_texts() -> None:
    both = fit_segmenters("bpe-joint", {"en": ["on on"], "de": ["in in in"]}, merges=1)
    assert both["en"].segment_word("in") == ["in"]
    assert both["en"].segment_word("on") == ["o@@", "n"]


@pytest.mark.parametrize(
    ("texts", "words"),
    [({}, "needs a text"), ({"de": "der Hund"}, "splitlines"), ({"de": []}, "'de' has no words")],
)
def test_wrong_texts_are_refused(texts, words) -> None:
    with pytest.raises(InputError, match=words):
        fit_segmenters("bpe", texts, merges=1)


def test_scores_from_texts() -> None:
    assert rarewords.bleu(["the dog is here now"], ["the dog is here now"])["score"] == pytest.approx(100)
    found = rarewords.unigram_f1(["a b"], ["a c"], rarewords.count_words(["a a b"]))
    assert found["classes"]["all"]["f1"] == 50
    assert found["classes"]["oov"]["n"] == 1


def without(packages: list[str], program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python in which these packages cannot be imported."""
    block = f"import sys; sys.modules.update(dict.fromkeys({packages!r}))\n"
    return subprocess.run([sys.executable, "-c", block + program], capture_output=True, text=True, check=False)


EXTRAS = ["torch", "safetensors", "snakemake", "matplotlib", "jinja2", "tokenizers", "tensorboard"]
COMMAND = "from rarewords.cli import main; sys.argv[1:] = {arguments!r}; main()"
COMMANDS = """
from rarewords.cli import main
for arguments in {commands!r}:
    sys.argv[1:] = arguments
    try:
        main()
    except SystemExit as done:
        assert done.code in (0, None), arguments
import rarewords
rarewords.fit_segmenters("bpe", {{"de": ["a b"]}}, merges=1)
assert "Translator" in dir(rarewords)
"""


def test_segmentation_and_scoring_do_without_the_extras(tmp_path) -> None:
    text = tmp_path / "text.de"
    text.write_text("\n".join(GERMAN) + "\n", encoding="utf-8")
    commands = [
        ["bpe", "learn", "-i", str(text), "-o", str(tmp_path / "codes"), "-s", "2"],
        ["corpus", "count", "--input", str(text), "--output", str(tmp_path / "counts")],
        ["corpus", "tokenise", "--language", "de", "--input", str(text), "--output", str(tmp_path / "tok")],
        ["score", "--hypothesis", str(text), "--reference", str(text)],
        ["--help"],
    ]
    done = without(EXTRAS, COMMANDS.format(commands=commands))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (["translate", "bundle"], "torch", "train"),
        (
            ["report", "learning-curves", "--experiment", "demo", "--svg", "o.svg", "--png", "o.png"],
            "matplotlib",
            "report",
        ),
    ],
)
def test_a_missing_extra_is_named_in_one_sentence(arguments, package, extra) -> None:
    done = without(EXTRAS, COMMAND.format(arguments=arguments))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"rarewords: {package}, which is needed for ")
    assert f", is not installed; install it with: pip install 'rarewords[{extra}]'." in done.stderr


def test_importing_what_needs_an_extra_names_it() -> None:
    done = without(EXTRAS, "from rarewords import Translator")
    assert (
        "ModuleNotFoundError: rarewords.Translator: torch, which is needed for training and translating, is"
        in done.stderr
    )
    done = without([], "import rarewords.missing")
    assert "No module named 'rarewords.missing'" in done.stderr
