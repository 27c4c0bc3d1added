"""Examples as TSV, Markdown and LaTeX: `|` between the units of a word, rare and unseen words in bold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rarewords.report import formats
from rarewords.report.formats import latex_text
from rarewords.report.table import Cell, Table, columns
from rarewords.vocabulary import UNKNOWN_TEXT

COLUMNS = columns("line", "words", "system", "source", "translation")

Token = dict[str, Any]


def tsv(examples: dict[str, Any]) -> str:
    """One row for the source and reference of each sentence, and one for each system."""
    rows: list[list[Cell]] = []
    for example in examples["examples"]:
        start: list[Cell] = [example["line"], "; ".join(map(word_note, example["words"]))]
        rows += [[*start, name, _plain(source), _plain(output)] for name, source, output in _lines(example)]
    return formats.tsv(Table(caption(examples), COLUMNS, rows))


def markdown(examples: dict[str, Any]) -> str:
    """A paragraph and a table for each sentence."""
    blocks = [" ".join(caption(examples))]
    for example in examples["examples"]:
        words = "; ".join(_markdown_text(word_note(word)) for word in example["words"])
        rows = ["| system | source | translation |", "| --- | --- | --- |"]
        for name, source, output in _lines(example):
            cells = [_markdown_text(name), _marked(source, _markdown_token), _marked(output, _markdown_token)]
            rows.append(f"| {' | '.join(cells)} |")
        blocks += [f"Line {example['line']}: {words}", "\n".join(rows)]
    return "\n\n".join(blocks) + "\n"


def latex(examples: dict[str, Any]) -> str:
    """A `table*` for the packages booktabs and tabularx; text outside the Latin alphabet needs XeLaTeX or LuaLaTeX."""
    lines = [
        r"\begin{table*}",
        rf"\caption{{{latex_text(' '.join(caption(examples)))}}}",
        r"\begin{tabularx}{\textwidth}{lXX}",
        r"\toprule",
        r"system & source & translation \\",
    ]
    for example in examples["examples"]:
        lines.append(r"\midrule")
        for name, source, output in _lines(example):
            cells = [latex_text(name), _marked(source, _latex_token), _marked(output, _latex_token)]
            lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabularx}", r"\end{table*}"]
    return "\n".join(lines) + "\n"


def caption(examples: dict[str, Any]) -> list[str]:
    """What the table shows, in sentences."""
    cut = examples["cut_frequency"]
    where = "" if cut is None else f" (training frequency {cut} or less)"
    printed = any(example.get("printed") for example in examples["examples"])
    return [
        f"{examples['pair']}, {examples['test_set']}: translations of rare and unseen words by the ensembles.",
        "A bar separates the units of a word.",
        *(["Rows with 'paper': what Sennrich, Haddow and Birch (2016) print for the sentence."] if printed else []),
        f"Rare: rank above {examples['rare_rank']} in the training text{where}; OOV: not in the training text.",
        f"{UNKNOWN_TEXT}: a unit that the system does not have in its vocabulary.",
    ]


def word_note(word: dict[str, Any]) -> str:
    """A word of the reference with its training frequency and the systems that get it right."""
    frequency = "OOV" if word["frequency"] == 0 else f"training frequency {word['frequency']}"
    found = ", ".join(word["found_by"]) or "no system"
    return f"{word['word']} ({frequency}; right in {found})"


def _lines(example: dict[str, Any]) -> list[tuple[str, list[Token], list[Token]]]:
    """Name, source and translation: the words of the test set, the units of each system, what the paper prints."""
    rows = [("reference", example["source"], example["reference"])]
    others = [*example["systems"], *example.get("printed", [])]
    return rows + [(row["label"], row["source"], row["output"]) for row in others]


def token_parts(token: Token) -> list[str]:
    """The units of a word as a system sees them: unknown ones are the unknown unit."""
    unknown = token.get("unknown", [])
    return [UNKNOWN_TEXT if number in unknown else part for number, part in enumerate(token["parts"])]


def _plain(tokens: list[Token]) -> str:
    return " ".join("|".join(token_parts(token)) for token in tokens)


def _marked(tokens: list[Token], write: Callable[[Token], str]) -> str:
    return " ".join(map(write, tokens))


def _markdown_token(token: Token) -> str:
    text = r"\|".join(map(_markdown_text, token_parts(token)))
    return f"**{text}**" if "class" in token else text


def _latex_token(token: Token) -> str:
    text = r"\textbar{}".join(map(latex_text, token_parts(token)))
    return rf"\textbf{{{text}}}" if "class" in token else text


def _markdown_text(text: str) -> str:
    escaped = "".join("\\" + character if character in r"\`*_[]|<>~#" else character for character in text)
    return escaped.replace("&", "&amp;")
