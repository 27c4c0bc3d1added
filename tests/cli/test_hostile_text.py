"""Text that tools trip over goes through every step by hand and comes out unchanged, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rarewords.cli import cli

# white space inside is a single space on purpose: the tokeniser makes every white space one space, see below
LINES = [
    "An ordinary line of text.",
    "A word like foo@@ and @@ alone and @@@ at the end @@",
    "Tags <unk> and </s> and <s> in the text",
    "a|b | c ||| d",
    "Prices: 5% & 10$ [net] {gross} \\textbf{x} $HOME `date`",
    "&amp; &lt; &quot; stay what they are",
    "Emoji 😀 and 한국어 and ελληνικά and e\u0301 as e\u0301",
    "-",
    "1 2 3",
    "UNK EOS <pad>",
]
SPACES = "no\u00a0break\u2028line\u2029para\u0085next\ttab\x0bvt\x0cff\u3000wide"


def run(*arguments: str) -> None:
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Training text whose two sides hold the lines, with CR LF ends on one side."""
    text = [*LINES, SPACES] * 3
    (tmp_path / "given.en").write_bytes("".join(line + "\r\n" for line in text).encode())
    (tmp_path / "given.de").write_bytes("".join(line + "\n" for line in text).encode())
    return tmp_path


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("words", "{}"),
        ("char-ngrams", '{"shortlist": 5}'),
        ("bpe", '{"merges": 30}'),
        ("bpe-joint", '{"merges": 30}'),
        ("bpe-bytes", '{"merges": 30}'),
        ("bpe-rules", '{"merges": 30}'),
        ("sentencepiece", '{"vocabulary": 200}'),
        ("wordpiece", '{"vocabulary": 300}'),
        ("wordpiece", '{"vocabulary": 300, "trainer": "tokenizers"}'),
    ],
)
def test_there_and_back(folder: Path, method: str, settings: str) -> None:
    f = {name: str(folder / name) for name in ("given.en", "given.de", "raw.en", "raw.de", "clean.en", "clean.de")}
    run("corpus", "import", "--source-part", f["given.en"], "--target-part", f["given.de"],
        "--source", f["raw.en"], "--target", f["raw.de"])  # fmt: skip
    assert (folder / "raw.en").read_bytes() == (folder / "raw.de").read_bytes()
    for side in ("en", "de"):
        run(
            "corpus",
            "tokenise",
            "--language",
            side,
            "--input",
            f[f"raw.{side}"],
            "--output",
            str(folder / f"tok.{side}"),
        )
    run("corpus", "clean", "--source", str(folder / "tok.en"), "--target", str(folder / "tok.de"),
        "--clean-source", f["clean.en"], "--clean-target", f["clean.de"])  # fmt: skip
    for side in ("en", "de"):
        clean, tc = f[f"clean.{side}"], str(folder / f"tc.{side}")
        run("corpus", "train-truecaser", "--input", clean, "--model", str(folder / f"model.{side}"))
        run("corpus", "truecase", "--model", str(folder / f"model.{side}"), "--input", clean, "--output", tc)
        run("corpus", "count", "--input", tc, "--output", str(folder / f"counts.{side}"))
    run("segment", "fit", "--method", method, "--settings", settings,
        "--source-language", "en", "--target-language", "de",
        "--source-counts", str(folder / "counts.en"), "--target-counts", str(folder / "counts.de"),
        "--source-segmenter", str(folder / "seg.en"), "--target-segmenter", str(folder / "seg.de"))  # fmt: skip
    run("vocabulary", "build", "--segmenter", str(folder / "seg.de"), "--counts", str(folder / "counts.de"),
        "--size", "1000", "--output", str(folder / "vocabulary.de"))  # fmt: skip
    run("segment", "apply", "--segmenter", str(folder / "seg.de"), "--input", str(folder / "tc.de"),
        "--output", str(folder / "units.de"))  # fmt: skip
    run("segment", "restore", "--segmenter", str(folder / "seg.de"), "--input", str(folder / "units.de"),
        "--output", str(folder / "restored.de"))  # fmt: skip
    assert (folder / "restored.de").read_bytes() == (folder / "tc.de").read_bytes()
    run("corpus", "detruecase", "--input", str(folder / "restored.de"), "--output", str(folder / "cased.de"))
    run("corpus", "detokenise", "--language", "de", "--input", str(folder / "cased.de"),
        "--output", str(folder / "out.de"))  # fmt: skip
    out = (folder / "out.de").read_bytes().decode().split("\n")[:-1]
    raw = (folder / "raw.de").read_bytes().decode().split("\n")[:-1]
    assert len(out) == len(raw) == 3 * (len(LINES) + 1)
    for given, got in zip(raw, out, strict=True):
        # detokenisation may place spaces elsewhere, and casing may change at the start; every character is there
        assert "".join(got.split()).lower() == "".join(given.split()).replace("e\u0301", "é").lower()


def test_special_symbols_in_the_text_are_ordinary_units(folder: Path) -> None:
    from rarewords.vocabulary import FIRST_UNIT, Vocabulary

    vocabulary = Vocabulary.build({"<unk>": 3, "</s>": 2, "<s>": 1}, 10)
    assert vocabulary.encode(["<unk>", "</s>", "<s>", "absent"]) == [FIRST_UNIT, FIRST_UNIT + 1, FIRST_UNIT + 2, 1]
    assert vocabulary.decode(vocabulary.encode(["<unk>", "</s>"])) == ["<unk>", "</s>"]
