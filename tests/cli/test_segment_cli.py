"""`rarewords segment`, `rarewords vocabulary` and `rarewords bpe` on files and on standard input."""

import gzip
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from subword_nmt import apply_bpe

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.segmentation.registry import METHODS

ENGLISH = "low 5\nlower 2\nnewest 6\nwidest 3\n"
RUSSIAN = "мать 4\nновый 3\nlow 2\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command line in an empty folder; returns standard output."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments, text=None, error=False):
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments], input=text)
        if error:
            assert isinstance(result.exception, InputError), result.output
            return str(result.exception)
        assert result.exit_code == 0, result.output + repr(result.exception)
        return result.stdout

    return invoke


@pytest.fixture
def counts(tmp_path):
    (tmp_path / "en.counts").write_text(ENGLISH, encoding="utf-8")
    (tmp_path / "ru.counts").write_text(RUSSIAN, encoding="utf-8")


def fit(method="bpe", settings='{"merges": 10}', target="ru"):
    return (
        *("segment", "fit", "--method", method, "--settings", settings),
        *("--source-language", "en", "--source-counts", "en.counts", "--source-segmenter", "en.json"),
        *("--target-language", target, "--target-counts", "ru.counts", "--target-segmenter", "ru.json"),
    )


@pytest.mark.usefixtures("counts")
class TestSegment:
    def test_fit_apply_restore(self, run, tmp_path):
        run(*fit())
        (tmp_path / "in").write_text("lowest newer\n\nlow  @@\n", encoding="utf-8")
        run("segment", "apply", "--segmenter", "en.json", "--input", "in", "--output", "out")
        assert (tmp_path / "out").read_text(encoding="utf-8") == "lo@@ west ne@@ w@@ e@@ r\n\nlow @@@ @\n"
        run("segment", "restore", "--segmenter", "en.json", "--input", "out", "--output", "back")
        assert (tmp_path / "back").read_text(encoding="utf-8") == "lowest newer\n\nlow @@\n"

    def test_fewer_merges_are_reported_and_no_error(self, run):
        result = CliRunner().invoke(cli, [*fit(settings='{"merges": 500}')])
        assert result.exit_code == 0
        assert "en.json: bpe, en: 13 of 500 merges: no further pair occurs 2 times" in result.stderr

    def test_standard_input_and_output(self, run):
        run(*fit())
        assert run("segment", "apply", "--segmenter", "en.json", text="lowest\n") == "lo@@ west\n"
        assert run("segment", "restore", "--segmenter", "en.json", text="lo@@ west ne@@\n") == "lowest ne\n"

    def test_both_sides_are_written_and_reported(self, run, tmp_path):
        run(*fit("bpe-joint-iso9", '{"merges": 500}'))
        stored = [json.loads((tmp_path / name).read_text(encoding="utf-8")) for name in ("en.json", "ru.json")]
        assert [side["language"] for side in stored] == ["en", "ru"]
        assert stored[0]["settings"] == {
            "merges": 500,
            "minimum_frequency": 2,
            "version": "0.2",
            "tie_break": "larger",
        }
        assert (
            run("segment", "show", "--segmenter", "ru.json", "мать", "новая")
            == "мать\tru.json\tru\tмать\nновая\tru.json\tru\tн@@ о@@ в@@ а@@ я\n"
        )

    def test_a_vocabulary_takes_units_apart(self, run, tmp_path):
        run(*fit())
        (tmp_path / "vocabulary").write_text("ne@@ 5\nwest 3\n", encoding="utf-8")
        arguments = ("segment", "apply", "--segmenter", "en.json", "--vocabulary", "vocabulary")
        assert run(*arguments, text="newest lowest\n") == "ne@@ west l@@ o@@ west\n"

    def test_a_vocabulary_needs_bpe(self, run, tmp_path):
        run(*fit("words", "{}"))
        (tmp_path / "vocabulary").write_text("low 5\n", encoding="utf-8")
        message = run("segment", "apply", "--segmenter", "en.json", "--vocabulary", "vocabulary", error=True)
        assert message.startswith("en.json: --vocabulary needs byte pair encoding, but the method is words")

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (fit("bep"), "did you mean 'bpe'"),
            (fit(settings="merges: 3"), "--settings: not JSON"),
            (fit(settings="[3]"), "is not a JSON object"),
            (fit(settings='{"merge": 3}'), "did you mean 'merges'"),
            (fit("bpe-joint-iso9", target="de"), "exactly one language must be 'ru'"),
        ],
    )
    def test_mistakes(self, run, tmp_path, arguments, complaint):
        assert complaint in run(*arguments, error=True)
        assert not (tmp_path / "en.json").exists()

    def test_languages_are_checked_before_the_counts_are_read(self, run, tmp_path):
        (tmp_path / "ru.counts").unlink()
        assert "exactly one language" in run(*fit("bpe-joint-iso9", target="de"), error=True)
        assert "no hyphenation patterns" in run(*fit("hyphenation", "{}", target="xx"), error=True)

    def test_empty_counts(self, run, tmp_path):
        (tmp_path / "ru.counts").write_text("")
        assert run(*fit(), error=True).startswith("ru.counts contains no words")

    def test_statistics(self, run, tmp_path):
        run(*fit("char-ngrams", '{"shortlist": 0}'))
        (tmp_path / "dev").write_text("lowest\n", encoding="utf-8")
        arguments = ("segment", "statistics", "--segmenter", "en.json", "--counts", "en.counts", "--text", "dev=dev")
        alone = json.loads(run(*arguments))
        assert (alone["tokens"], alone["types"], alone["types_without_joiner"]) == (5 * 2 + 2 * 3 + 6 * 3 + 3 * 3, 8, 8)
        assert (alone["unknown"], alone["unknown_of"]) == ({"dev": 0}, {"dev": 3})
        assert alone["consistency"] is None
        both = json.loads(run(*arguments, "--other-segmenter", "ru.json", "--other-counts", "ru.counts"))
        assert both["consistency"] == {"common": 1, "alike": 1}
        assert "belong together" in run(*arguments, "--other-segmenter", "ru.json", error=True)
        assert "'dev' is not NAME=FILE" in run(*arguments[:-1], "dev", error=True)

    def test_show_the_segmenters_of_an_experiment(self, run, tmp_path):
        run(*fit())
        for folder in ("seg/bpe", "table1/words"):
            (tmp_path / "data/text/en-ru" / folder).mkdir(parents=True)
        (tmp_path / "en.json").rename(tmp_path / "data/text/en-ru/seg/bpe/segmenter.en.json")
        run(*fit("words", "{}"))
        (tmp_path / "en.json").rename(tmp_path / "data/text/en-ru/table1/words/segmenter.en.json")
        show = ("segment", "show", "--experiment", "mine")
        assert "results/mine/config.yaml does not exist" in run(*show, error=True)
        (tmp_path / "results/mine").mkdir(parents=True)
        size, parts = {"source": 9, "target": 9}, ["text.{lang}"]
        config = {
            "experiment": {
                **{"name": "mine", "corpus": "text", "pairs": ["en-ru"], "dev": "dev", "test": ["test"]},
                **{"systems": ["bpe", "c2"], "table1": ["words"]},
            },
            "corpora": {"text": {"pairs": {"en-ru": {"train": parts, "sets": {"dev": parts, "test": parts}}}}},
            "network": {"embedding": 2, "hidden": 2},
            "training": {"clip_norms": [1], "updates": 9, "save_every": 1},
            "systems": {
                "bpe": {"label": "BPE-10", "segmentation": {"method": "bpe", "merges": 10}, "vocabulary": size},
                "c2": {"label": "C2", "segmentation": {"method": "char-ngrams", "shortlist": 1}, "vocabulary": size},
            },
            "table1": {"words": {"label": "none", "segmentation": {"method": "words"}}},
        }
        (tmp_path / "results/mine/config.yaml").write_text(json.dumps(config), encoding="utf-8")
        assert run(*show, "lowest") == "lowest\tBPE-10\ten\tlo@@ west\nlowest\tnone\ten\tlowest\n"
        assert len(run(*show).splitlines()) == 2 * 9  # the paper's examples
        assert "no segmenter of this language, only of en" in run(*show, "--language", "ru", error=True)
        assert "give either" in run("segment", "show", "low", error=True)

    def test_vocabulary(self, run, tmp_path):
        run(*fit("char-ngrams", '{"shortlist": 1}'))
        build = ("vocabulary", "build", "--segmenter", "en.json", "--counts", "en.counts", "--output", "v")
        run(*build, "--size", 6)
        assert (tmp_path / "v").read_text(encoding="utf-8") == "lo@@ 7\nnewest 6\nw 5\nwi@@ 3\n"
        shown = run("vocabulary", "show", "--vocabulary", "v")
        assert shown.splitlines()[:2] == ["ids          6", "occurrences  21"]
        assert run("vocabulary", "show", "--vocabulary", "v", "newest", "st") == "newest\t3\t6\nst\t1\t0\n"
        assert "3 or more" in run(*build, "--size", 2, error=True)


TEXT = "low low low low low\nlower lower newest newest newest newest newest newest\nwidest widest widest\n"
CODES = "#version: 0.2\ns t</w>\ne st</w>\nl o\nw est</w>\nn e\n"


class TestBpe:
    def test_learn_from_text(self, run):
        assert run("bpe", "learn", "-s", 5, text=TEXT) == CODES

    def test_learn_from_a_dictionary_adds_repeated_words(self, run):
        assert run("bpe", "learn", "-s", 5, "--dict-input", text=ENGLISH) == CODES
        halves = "low 2\nnewest 6\n" + "low 3\nlower 2\nwidest 3\n"
        assert run("bpe", "learn", "-s", 5, "--dict-input", text=halves) == CODES

    def test_text_is_no_dictionary(self, run):
        assert run("bpe", "learn", "--dict-input", text="low 5\nlow low\n", error=True).startswith(
            "-, line 2: 'low low'"
        )

    def test_learn_to_a_file_and_version(self, run, tmp_path):
        run("bpe", "learn", "-o", "codes", "--codes-version", "0.1", "-s", 2, text="ab ab\n")
        assert (tmp_path / "codes").read_text() == "b </w>\na b</w>\n"

    def test_too_few_pairs_are_a_note(self, run):
        result = CliRunner().invoke(cli, ["bpe", "learn", "--min-frequency", "4"], input="ab ab ab\n")
        assert (result.exit_code, result.stdout) == (0, "#version: 0.2\n")
        assert "note: 0 of 10000 merges learned; no further pair occurs 4 times or more" in result.stderr

    def test_too_few_pairs_are_a_note_with_total_symbols(self, run):
        options = ["bpe", "learn", "--total-symbols", "-s"]
        result = CliRunner().invoke(cli, [*options, "6"], input="abc abc\n")
        assert "note: 2 of 3 merges learned" in result.stderr
        for symbols in ("5", "3", "0"):
            assert "note" not in CliRunner().invoke(cli, [*options, symbols], input="abc abc\n").stderr

    def test_apply_keeps_white_space(self, run, tmp_path):
        (tmp_path / "codes").write_text(CODES)
        text = "  lowest  low\tlow \n\n   \n\u2028a\u00a0b\n"
        segmented = run("bpe", "apply", "-c", "codes", text=text)
        released = apply_bpe.BPE(io.StringIO(CODES))
        assert segmented == "".join(released.process_line(line + "\n") for line in text.split("\n")[:-1])
        assert segmented.startswith("  lo@@ west lo@@ w@@ \t@@ lo@@ w \n\n   \n")

    def test_learn_from_several_texts(self, run, tmp_path):
        (tmp_path / "a").write_text("low low lower\n")
        (tmp_path / "b").write_text("newest newest low\n")
        together = run("bpe", "learn", "-s", 4, text="low low lower newest newest low\n")
        assert run("bpe", "learn", "-s", 4, "-i", "a", "-i", "b", "--num-workers", 2) == together

    def test_learn_with_the_flags_of_the_released_tool(self, run):
        text = "low " * 5 + "lower " * 2 + "newest " * 6 + "widest " * 3 + "\n"
        assert run("bpe", "learn", "-t", "-s", 15, text=text) == run("bpe", "learn", "-s", 4, text=text)
        first = run("bpe", "learn", "--tie-break", "first", "--codes-version", "0.1", "-s", 5, text=text)
        assert first == "e s\nes t\nest </w>\nl o\nlo w\n"

    def test_empty_words_do_not_count(self, run):
        assert run("bpe", "learn", "-s", 4, text="  low   low \n\n low \n") == run(
            "bpe", "learn", "-s", 4, text="low low low\n"
        )

    def test_learn_from_compressed_text(self, run, tmp_path):
        (tmp_path / "text.gz").write_bytes(gzip.compress(b"ab ab\n" * 5000))
        assert run("bpe", "learn", "-i", "text.gz", "--num-workers", 2) == "#version: 0.2\na b</w>\n"

    def test_an_empty_text(self, run):
        assert run("bpe", "learn", text="\n  \n", error=True).startswith("- contains no words")

    def test_apply_with_the_flags_of_the_released_tool(self, run, tmp_path):
        (tmp_path / "codes").write_text(CODES)
        apply = ("bpe", "apply", "-c", "codes")
        text = "lowest newer USAlow\n" * 3
        assert run(*apply, "-m", 0, text="low\n") == "l@@ o@@ w\n"
        assert run(*apply, "-s", "##", text="lowest\n") == "lo## west\n"
        assert run(*apply, "-s", "￭", text="lowest\n") == "lo￭ west\n"
        assert run(*apply, "--glossaries", "USA", text="USAlow\n") == "USA@@ lo@@ w\n"
        assert run(*apply, "--num-workers", 2, text=text) == run(*apply, text=text)
        assert run(*apply, "--dropout", 1, text="low\n") == "l@@ o@@ w\n"
        random = run(*apply, "--dropout", 0.5, "--seed", 3, text=text)
        assert random == run(*apply, "--dropout", 0.5, "--seed", 3, "--num-workers", 2, text=text)
        assert random.replace("@@ ", "") == text

    def test_learn_joint_and_filter(self, run, tmp_path):
        (tmp_path / "a").write_text("low low lower\n")
        (tmp_path / "b").write_text("newest newest low\n")
        arguments = (
            "-i",
            "a",
            "-i",
            "b",
            "-s",
            4,
            "-o",
            "codes",
            "--write-vocabulary",
            "va",
            "--write-vocabulary",
            "vb",
        )
        run("bpe", "learn-joint", *arguments)
        assert (tmp_path / "codes").read_text() == run(
            "bpe", "learn", "-s", 4, text="low low lower newest newest low\n"
        )
        run("bpe", "apply", "-c", "codes", "-i", "a", "-o", "a.bpe")
        assert (tmp_path / "va").read_text() == run("bpe", "vocab", "-i", "a.bpe")
        assert (tmp_path / "va").read_text() == "low 2\nlo@@ 1\nwe@@ 1\nr 1\n"
        filtered = ("bpe", "apply", "-c", "codes", "--vocabulary", "va")
        assert run(*filtered, text="low\n") == "low\n"
        assert run(*filtered, "--vocabulary-threshold", 2, text="low\n") == "low\n"
        assert run(*filtered, "--vocabulary-threshold", 3, text="low\n") == "l@@ o@@ w\n"

    def test_learn_joint_needs_a_vocabulary_for_each_text(self, run):
        arguments = ("-i", "a", "-i", "b", "-o", "codes", "--write-vocabulary", "va")
        assert "2 files for --input but 1 for --write-vocabulary; give a vocabulary for each text." in run(
            "bpe", "learn-joint", *arguments, error=True
        )

    @pytest.mark.parametrize(
        ("text", "complaint"),
        [
            ("\u2581the\t-3.5\n", "line 1: .* has a tab between unit and count"),
            ('{"the": 0, "of": 1}\n', "line 1: .* is not `unit count`"),
            ("", "the vocabulary is empty"),
        ],
    )
    def test_a_vocabulary_of_another_tool(self, run, tmp_path, text, complaint):
        (tmp_path / "codes").write_text(CODES)
        (tmp_path / "v").write_text(text, encoding="utf-8")
        message = run("bpe", "apply", "-c", "codes", "--vocabulary", "v", text="low\n", error=True)
        assert re.match(f"v(: |, ){complaint}", message)

    def test_a_threshold_needs_a_vocabulary(self, run, tmp_path):
        (tmp_path / "codes").write_text(CODES)
        message = run("bpe", "apply", "-c", "codes", "--vocabulary-threshold", 3, text="low\n", error=True)
        assert message.startswith("--vocabulary-threshold needs --vocabulary")

    def test_vocab(self, run):
        assert run("bpe", "vocab", text=" b a  a\tc b\nb\n\n") == "b 3\na 1\na\tc 1\n"


def test_every_method_is_in_the_help():
    listed = CliRunner().invoke(cli, ["segment", "--help"]).output
    assert {line.split()[0] for line in listed.split("\n") if line.strip()} >= set(METHODS)


@pytest.mark.usefixtures("counts")
def test_shares_of_unknown_units_are_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(cli, fit("char-ngrams", '{"n": 1, "shortlist": 0}'))
    (tmp_path / "dev").write_text("lox\nx\n", encoding="utf-8")  # l@@ o@@ x and x: neither is known
    statistics = ["segment", "statistics", "--segmenter", "en.json", "--counts", "en.counts", "--text", "dev=dev"]
    assert "dev: 2 of 4 units (50.00 %) are unknown" in CliRunner().invoke(cli, statistics).stderr
    build = ["vocabulary", "build", "--segmenter", "en.json", "--counts", "en.counts", "--output", "v", "--size"]
    known = 6 * 2 + 2 + 3  # e@@: twice in newest, once in lower and in widest; of 5 * 3 + 2 * 5 + 6 * 6 + 3 * 6 units
    assert f"{100 * (79 - known) / 79:.2f} % of the" in CliRunner().invoke(cli, [*build, "3"]).stderr


def test_one_text_alone_is_segmented(run, counts):
    run(
        "segment", "fit", "--method", "bpe", "--settings", '{"merges": 3}', "--source-language", "en",
        "--source-counts", "en.counts", "--source-segmenter", "en.json",
    )  # fmt: skip
    # e s (9), es t (9), l o (7): the most frequent pairs of `low lower newest widest`
    assert run("segment", "apply", "--segmenter", "en.json", text="widest low\n") == "w@@ i@@ d@@ est lo@@ w\n"


def test_half_a_target_is_refused(run, counts):
    result = CliRunner().invoke(
        cli, ["segment", "fit", "--method", "bpe", "--source-language", "en", "--source-counts", "en.counts",
              "--source-segmenter", "en.json", "--target-language", "ru"],
    )  # fmt: skip
    assert result.exit_code == 2
    assert "give all of them or none" in result.stderr


@pytest.mark.parametrize(
    ("content", "kind"), [("der 12\ndie 9\n", "a vocabulary"), ("#version: 0.2\ne r\n", "a file of mer")]
)
def test_another_file_of_ours_is_no_segmenter(tmp_path: Path, content: str, kind: str) -> None:
    (tmp_path / "x").write_text(content, encoding="utf-8")
    (tmp_path / "t").write_text("der\n", encoding="utf-8")
    arguments = ["segment", "apply", "--segmenter", str(tmp_path / "x"), "--input", str(tmp_path / "t")]
    with pytest.raises(InputError, match=f"x: this looks like {kind}.*; name the segmenter, a JSON file that"):
        CliRunner().invoke(cli, arguments, catch_exceptions=False)
