"""`rarewords score` and `rarewords report` as a user runs them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import run_folder


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
    assert lines[4] == f"chrF2      {scores['chrf2']['score']:5.1f}  {scores['chrf2']['signature']}"
    assert lines[5:] == [
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
    assert len(done.stdout.splitlines()) == 5


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


FEW = "warning: 2 sentences are too few to call a difference significant; at least 30 are needed.\n"
SEVERAL = ("score", "--reference", "ref", "--hypothesis", "first=hyp", "--hypothesis", "second=better")


def test_systems_side_by_side(folder: Path) -> None:
    (folder / "better").write_text("Das Haus ist alt.\nEin Baum.\n", encoding="utf-8")
    words = ("--train-text", "train", "--language", "de", "--rare-rank", "3")
    done = rarewords(folder, *SEVERAL, *words, "--by-frequency", "--json", "both.json")
    assert (done.returncode, done.stderr) == (0, FEW)
    both = json.loads((folder / "both.json").read_text(encoding="utf-8"))
    alone = {}
    for name, file in (("first", "hyp"), ("second", "better")):
        arguments = ("score", "--reference", "ref", "--hypothesis", file, *words, "--json", "one.json")
        assert rarewords(folder, *arguments).returncode == 0
        alone[name] = json.loads((folder / "one.json").read_text(encoding="utf-8"))
        alone[name].pop("sha256", None)  # of the file
    assert both["systems"] == alone
    for metric, found in both["comparison"]["metrics"].items():
        for name, result in found.items():
            if metric in ("bleu", "chrf3"):
                assert result["score"] == pytest.approx(alone[name][metric]["score"])
            else:
                score = alone[name]["unigram_f1"]["classes"][metric.removeprefix("f1_")]["f1"]
                assert result["score"] == pytest.approx(score)
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["BLEU", "chrF3", "chrF2", "F1", "all", "F1", "rare", "F1", "OOV"]
    for name, line in zip(alone, lines[1:3]):
        scores = [alone[name][metric]["score"] for metric in ("bleu", "chrf3", "chrf2")]
        scores += [alone[name]["unigram_f1"]["classes"][kind]["f1"] for kind in ("all", "rare", "oov")]
        assert line.split() == [name, *(f"{score:.1f}" for score in scores)]
    assert lines[3].startswith("BLEU   nrefs:1|")
    assert "2 sentences, paired bootstrap, 1000 samples, seed 12345; baseline: first" in lines
    assert [line for line in lines if line in ("first", "second")] == ["first", "second"]


def test_tokenised_files_of_several_systems(folder: Path) -> None:
    (folder / "better").write_text("Das Haus ist alt.\nEin Baum.\n", encoding="utf-8")
    (folder / "better.tok").write_text("das Haus ist alt .\nein Baum .\n", encoding="utf-8")
    words = ("--train-text", "train", "--rare-rank", "3", "--tokenised-reference", "ref.tok")
    named = ("--tokenised-hypothesis", "first=hyp.tok", "--tokenised-hypothesis", "second=better.tok")
    done = rarewords(folder, *SEVERAL, *words, *named, "--json", "both.json")
    assert (done.returncode, done.stderr) == (0, FEW)
    both = json.loads((folder / "both.json").read_text(encoding="utf-8"))
    assert both["systems"]["first"]["unigram_f1"]["classes"]["all"]["f1"] == pytest.approx(700 / 9)
    assert both["systems"]["second"]["unigram_f1"]["classes"]["all"]["f1"] == pytest.approx(100 * 16 / 17)
    for wrong in (named[:2], (*named[2:], *named[:2])):
        done = rarewords(folder, *SEVERAL, *words, *wrong)
        assert done.returncode == 2
        assert "the systems are first, second: name the same systems in the same order" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*SEVERAL[:5], "--hypothesis", "better"), "'better' is not NAME=FILE"),
        ((*SEVERAL, "--hypothesis", "first=x"), "'first' is named twice"),
        ((*SEVERAL, "--hypothesis", "third=-"), "not from standard input"),
        ((*SEVERAL, "--train-text", "train"), "Unigram F1 of raw text needs the target language"),
        (
            (*RAW, *TOKENISED, "--tokenised-hypothesis", "x"),
            "There is one --hypothesis, but --tokenised-hypothesis is given 2 times",
        ),
    ],
)
def test_wrong_options_of_several_systems(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = rarewords(folder, *arguments)
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


OF_RUN = ("--experiment", "results/mine/config.yaml", "--pair", "en-de", "--test-set", "test")


def copy_scores(folder: Path, name: str) -> None:
    """Take the scores as those of an output of the experiment."""
    text = (folder / "score.json").read_text(encoding="utf-8")
    run_folder.write(folder / run_folder.RESULTS / f"{name}.json", text)


def test_table_from_scores_and_show(folder: Path) -> None:
    scored = rarewords(folder, *RAW, *TOKENISED, "--train-text", "train", "--rare-rank", "3", "--json", "score.json")
    assert scored.returncode == 0
    run_folder.write_experiment(folder, decoding={"all_members": True})
    for output in ("best", "ensemble", "single-1", "single-2"):
        copy_scores(folder, f"test/{output}")
    bleu = {"models/mine/en-de/bpe/member1": 1.0, "models/mine/en-de/bpe/member2": 2.0}
    run_folder.write(folder / run_folder.RESULTS / "dev/choice.json", json.dumps({"member": "x", "bleu": bleu}))
    files = ("--tsv", "t/table2.tsv", "--markdown", "t/table2.md", "--latex", "t/table2.tex")
    made = rarewords(folder, "report", "table", *OF_RUN, *files)
    assert (made.returncode, made.stderr) == (0, "")
    tsv = (folder / "t/table2.tsv").read_text(encoding="utf-8")
    assert "\nMy BPE\tours\tBPE\t-\t4\t4\t" in tsv
    assert "\t77.8\t85.7\t0.0\n" in tsv
    assert "BLEU mean\tBLEU minimum\tBLEU maximum" in tsv
    assert "| My BPE | ours |" in (folder / "t/table2.md").read_text(encoding="utf-8")
    assert "\nMy BPE & ours &" in (folder / "t/table2.tex").read_text(encoding="utf-8")

    shown = rarewords(folder, "report", "show", "--tsv", "t/table2.tsv")
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert any(line.split()[:3] == ["My", "BPE", "ours"] for line in lines)
    assert "files: t/table2.tsv  t/table2.md  t/table2.tex" in lines
    assert max(map(len, lines)) <= 120


def test_table_of_missing_score_file(folder: Path) -> None:
    run_folder.write_experiment(folder)
    files = ("--tsv", "t.tsv", "--markdown", "t.md", "--latex", "t.tex")
    done = rarewords(folder, "report", "table", *OF_RUN, *files)
    assert done.returncode == 2
    assert done.stderr.startswith("rarewords: results/mine/en-de/bpe/test/best.json: cannot be read")
    assert not (folder / "t.tsv").exists()


@pytest.mark.parametrize("name", ["hyp", "./ref", "train"])
def test_scores_do_not_overwrite_an_input(folder: Path, name: str) -> None:
    before = (folder / name).read_text(encoding="utf-8")
    done = rarewords(folder, *RAW, "--language", "de", "--train-text", "train", "--json", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"rarewords: {name}: this output is also an input; give each output a file of its own.\n"
    assert (folder / name).read_text(encoding="utf-8") == before


def test_score_prints_frequencies_on_request(folder: Path) -> None:
    done = rarewords(folder, *RAW, *TOKENISED, "--train-text", "train", "--by-frequency")
    assert done.returncode == 0
    assert done.stdout.splitlines()[11:] == [
        "unigram F1 by frequency in the training text; hypothesis and reference in tokens",
        "frequency            ranks     F1  precision  recall  hypothesis  reference",
        "        3              1-1  100.0      100.0   100.0           2          2",
        "        2              2-3  100.0      100.0   100.0           2          2",
        "        1              4-7   85.7      100.0    75.0           3          4",
        "        0              OOV    0.0        0.0     0.0           2          1",
    ]
    refused = rarewords(folder, *RAW, "--by-frequency")
    assert refused.returncode == 2
    assert "--by-frequency needs the training words" in refused.stderr


def test_a_missing_counts_file_is_one_sentence(folder: Path) -> None:
    done = rarewords(folder, *RAW, *TOKENISED, "--train-counts", "absent", "--json", "score.json")
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["rarewords: absent: cannot be read (No such file or directory)."]
    assert not (folder / "score.json").exists()


def test_another_normalisation_and_empty_lines_are_warnings(folder: Path) -> None:
    (folder / "hyp").write_text("Das alte Haus ist gru\u0308n.\n\n", encoding="utf-8")
    done = rarewords(folder, *RAW)
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert first.startswith("warning: hyp is empty in 1 of 2 lines in which ref has text (the first is line 2)")
    assert second.startswith("warning: hyp has 2 and ref has 0 characters that are not in Unicode normalisation form C")


SIGNIFICANCE = ("significance", "--reference", "ref", "--baseline", "a=hyp", "--system", "b=ref", "--samples", "30")


def test_significance_prints_and_writes_every_test(folder: Path) -> None:
    words = ("--words", "a=hyp.tok", "--words", "b=ref.tok", "--words-reference", "ref.tok", "--train-counts", "counts")
    (folder / "counts").write_text("das 2\n. 3\n", encoding="utf-8")
    done = rarewords(folder, *SIGNIFICANCE, *words, "--rare-rank", "1", "--json", "out/test.json")
    assert (done.returncode, done.stderr) == (0, FEW)
    result = json.loads((folder / "out/test.json").read_text(encoding="utf-8"))
    lines = done.stdout.splitlines()
    assert lines[0] == "2 sentences, paired bootstrap, 30 samples, seed 12345; baseline: a"
    assert lines[2].split() == ["BLEU", f"{result['metrics']['bleu']['a']['score']:.1f}", "-", "-", "a"]
    assert lines[-1].split()[:3] == ["F1", "OOV", "100.0"]
    assert len(lines) == 2 + 5 * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--system", "a=ref"), "'a' is named twice"),
        (("--system", "ref"), "'ref' is not NAME=FILE"),
        (("--words", "a=hyp.tok"), "needs --words, --words-reference and --train-counts together"),
        (("--seed", "0"), "0 is not in the range"),
        (("--json", "hyp"), "hyp: this output is also an input"),
        (("--system", "c=absent"), "absent: cannot be read"),
    ],
)
def test_wrong_comparisons_are_exit_code_2(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = rarewords(folder, *SIGNIFICANCE, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_chosen_models_translation_is_copied(folder: Path) -> None:
    for member in ("1", "2"):
        for suffix in ("sub", "tc", "txt"):
            (folder / f"single-{member}.{suffix}").write_text(f"{member} {suffix}\n", encoding="utf-8")
    (folder / "choice.json").write_text('{"member": "m/2", "bleu": {"m/1": 1.0, "m/2": 2.0}}', encoding="utf-8")
    command = ("copy-chosen", "--choice", "choice.json", "--output", "best", "--candidate", "m/1=single-1")
    done = rarewords(folder, *command, "--candidate", "m/2=single-2")
    assert (done.returncode, done.stderr) == (0, "")
    assert [(folder / f"best.{suffix}").read_text(encoding="utf-8") for suffix in ("sub", "tc", "txt")] == [
        "2 sub\n", "2 tc\n", "2 txt\n",
    ]  # fmt: skip
    done = rarewords(folder, *command)
    assert done.returncode == 2
    assert done.stderr == "rarewords: choice.json: chooses m/2, which is not among the candidates (m/1).\n"


def test_figure_and_oov_table_from_scores(folder: Path) -> None:
    scored = rarewords(folder, *RAW, *TOKENISED, "--train-text", "train", "--rare-rank", "3", "--json", "score.json")
    assert scored.returncode == 0
    run_folder.write_experiment(folder)
    copy_scores(folder, "test/ensemble")
    files = ("--svg", "f/figure2.svg", "--png", "f/figure2.png", "--tsv", "f/figure2.tsv")
    drawn = rarewords(folder, "report", "frequency-figure", *OF_RUN, *files)
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert ">My BPE<" in (folder / "f/figure2.svg").read_text(encoding="utf-8")
    assert "\nMy BPE\t0\t-\t-\t0\t0\t2\t1\t" in (folder / "f/figure2.tsv").read_text(encoding="utf-8")
    files = ("--tsv", "oov.tsv", "--markdown", "oov.md", "--latex", "oov.tex")
    made = rarewords(folder, "report", "oov-table", *OF_RUN, *files)
    assert (made.returncode, made.stderr) == (0, "")
    # The test set is not the paper's, so its rows stand apart and name theirs.
    assert (folder / "oov.md").read_text(encoding="utf-8").splitlines()[-3:] == [
        "| My BPE | ours | 0.0 | 0.0 | 0.0 | 1 |",
        "| *syntax-based SMT* | *paper, newstest2015* | *-* | *-* | *37.7* | *1,168* |",
        "| *BPE-60k* | *paper, newstest2015* | *32.4* | *26.6* | *29.3* | *1,168* |",
    ]
