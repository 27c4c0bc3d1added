"""`rarewords score` and `rarewords report` as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def rarewords(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from rarewords.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "hyp": "Das alte Haus ist grün.\nEin Baum.\n",
        "ref": "Das Haus ist alt.\nEin alter Baum.\n",
        "hyp.tok": "das alte Haus ist grün .\nein Baum .\n",
        "ref.tok": "das Haus ist alt .\nein alter Baum .\n",
        "train": "das Haus ist alt .\ndas Haus .\nein Baum .\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


RAW = ("score", "--hypothesis", "hyp", "--reference", "ref")
TOKENISED = ("--tokenised-hypothesis", "hyp.tok", "--tokenised-reference", "ref.tok")


def test_score_prints_values_n_and_signature(folder: Path) -> None:
    done = rarewords(folder, *RAW, *TOKENISED, "--train-text", "train", "--rare-rank", "3", "--json", "out/score.json")
    assert (done.returncode, done.stderr) == (0, "")
    scores = json.loads((folder / "out/score.json").read_text(encoding="utf-8"))
    lines = done.stdout.splitlines()
    assert lines[0] == "sentences  2"
    assert lines[1] == f"BLEU       {scores['bleu']['score']:5.1f}  {scores['bleu']['signature']}"
    assert lines[2].startswith("           brevity penalty 1.000, length ratio 1.000, precisions 77.8/")
    assert lines[3] == f"chrF3      {scores['chrf3']['score']:5.1f}  {scores['chrf3']['signature']}"
    assert lines[4:] == [
        "unigram F1       F1  precision  recall        n",
        "  all          77.8       77.8    77.8        9",
        "  rare         85.7      100.0    75.0        4",
        "  rare or OOV  60.0       60.0    60.0        5",
        "  OOV           0.0        0.0     0.0        1",
        "rare: rank above 3 of 7 training types, where words occur 2 times; OOV: not in the training text",
    ]


def test_score_without_training_words(folder: Path) -> None:
    done = rarewords(folder, *RAW)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 4


def test_score_warns_about_tokenised_text(folder: Path) -> None:
    done = rarewords(folder, "score", "--hypothesis", "hyp.tok", "--reference", "ref")
    assert done.returncode == 0
    assert done.stderr.startswith("warning: hyp.tok looks tokenised")
    assert "looks" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--train-text", "train"), "rarewords: Unigram F1 of raw text needs the target language"),
        (TOKENISED, "rarewords: Unigram F1 needs the training words once"),
        (("--train-text", "train", "--language", "de", "--rare-rank", "0"), "0 is not in the range"),
    ],
)
def test_wrong_options_are_exit_code_2(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = rarewords(folder, *RAW, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_unequal_files_are_one_sentence(folder: Path) -> None:
    (folder / "hyp").write_text("Das Haus.\n", encoding="utf-8")
    done = rarewords(folder, *RAW, "--json", "score.json")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "rarewords: hyp has 1 lines but ref has 2: a translation needs one line for each line of the reference."
    ]
    assert not (folder / "score.json").exists()


def test_table_from_scores_and_show(folder: Path) -> None:
    scored = rarewords(folder, *RAW, *TOKENISED, "--train-text", "train", "--rare-rank", "3", "--json", "score.json")
    assert scored.returncode == 0
    row = {"system": "bpe", "label": "My BPE", "paper": "BPE-60k", "segmentation": "BPE", "shortlist": None}
    (folder / "vocabulary").write_text("der 3\ndie 2\n", encoding="utf-8")
    row |= {
        "vocabulary": ["vocabulary", "vocabulary"],
        "best": "score.json",
        "ensemble": "score.json",
        "members": 2,
        "updates": 10,
    }
    files = ("--tsv", "t/table2.tsv", "--markdown", "t/table2.md", "--latex", "t/table2.tex")
    made = rarewords(
        folder, "report", "table", "--row", json.dumps(row), "--pair", "en-de", "--test-set", "test", *files
    )
    assert (made.returncode, made.stderr) == (0, "")
    tsv = (folder / "t/table2.tsv").read_text(encoding="utf-8")
    assert "\nMy BPE\tours\tBPE\t-\t4\t4\t" in tsv
    assert "\t77.8\t85.7\t0.0\n" in tsv
    assert "| My BPE | ours |" in (folder / "t/table2.md").read_text(encoding="utf-8")
    assert "\nMy BPE & ours &" in (folder / "t/table2.tex").read_text(encoding="utf-8")

    shown = rarewords(folder, "report", "show", "--tsv", "t/table2.tsv")
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert any(line.split()[:3] == ["My", "BPE", "ours"] for line in lines)
    assert "files: t/table2.tsv  t/table2.md  t/table2.tex" in lines
    assert max(map(len, lines)) <= 100


def test_table_of_missing_score_file(folder: Path) -> None:
    row = {"system": "x", "label": "X", "paper": None, "segmentation": "BPE", "shortlist": None}
    (folder / "vocabulary").write_text("der 3\n", encoding="utf-8")
    row |= {
        "vocabulary": ["vocabulary", "vocabulary"],
        "best": "absent.json",
        "ensemble": None,
        "members": 1,
        "updates": 1,
    }
    files = ("--tsv", "t.tsv", "--markdown", "t.md", "--latex", "t.tex")
    done = rarewords(
        folder, "report", "table", "--row", json.dumps(row), "--pair", "en-de", "--test-set", "test", *files
    )
    assert done.returncode == 2
    assert done.stderr.startswith("rarewords: absent.json: cannot be read")
    assert not (folder / "t.tsv").exists()


@pytest.mark.parametrize("name", ["hyp", "./ref", "train"])
def test_scores_do_not_overwrite_an_input(folder: Path, name: str) -> None:
    before = (folder / name).read_text(encoding="utf-8")
    done = rarewords(folder, *RAW, "--language", "de", "--train-text", "train", "--json", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"rarewords: {name}: this output is also an input; give each output a file of its own.\n"
    assert (folder / name).read_text(encoding="utf-8") == before
