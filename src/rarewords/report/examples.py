"""Tables 4 and 5 of the paper: translations of rare and unseen words, with every system's units on both sides.

Sentences are chosen where the systems differ on a rare or unseen word of the reference, or given by line number. The
result is one JSON value; example_formats.py and the report write it down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rarewords.corpus.importing import read_counts
from rarewords.errors import InputError
from rarewords.evaluation.unigram_f1 import cut_frequency, most_frequent
from rarewords.report.choosing import Candidate, choose
from rarewords.report.inputs import ExampleTexts, UnitFiles
from rarewords.report.paper import load_paper
from rarewords.segmentation.joiner import CONTINUATION, JOINER, goes_on
from rarewords.text.files import PathLike, read_lines, split_words
from rarewords.vocabulary import UNKNOWN_TEXT, Vocabulary

RARE, UNSEEN = "rare", "OOV"


@dataclass(frozen=True)
class Frequencies:
    """Training counts of one side; a word of rank above rare_rank is rare, one without a count is unseen."""

    counts: Mapping[str, int]
    frequent: frozenset[str]

    @classmethod
    def of(cls, counts: Mapping[str, int], rare_rank: int) -> Frequencies:
        """From counts in order of first occurrence, which settles ties of rank as in unigram F1."""
        return cls(counts, frozenset(most_frequent(counts, rare_rank)))

    def word_class(self, word: str) -> str | None:
        """RARE, UNSEEN or None; the network's unknown word and tokens without a letter are neither."""
        if word == UNKNOWN_TEXT or word in self.frequent or not any(map(str.isalpha, word)):
            return None
        return RARE if word in self.counts else UNSEEN

    def cut_frequency(self, rare_rank: int) -> int | None:
        """The training count of the word at rank rare_rank; None if there are fewer words."""
        return cut_frequency(self.counts, rare_rank)


@dataclass(frozen=True)
class _Sentence:
    """One line of the test set: words of source and reference, units of each system."""

    source: list[str]
    reference: list[str]
    units: list[tuple[list[str], list[str]]]  # source and output of each system


def example_table(
    texts: ExampleTexts,
    systems: Sequence[UnitFiles],
    name: tuple[str, str],
    rare_rank: int,
    number: int = 5,
    lines: Sequence[int] = (),
    phrases: Sequence[str] = (),
) -> dict[str, Any]:
    """Table 4 or 5 as a JSON value; name is (language pair, test set).

    The examples are the given lines (from 1) and the first line with each of the given phrases of the source, or
    `number` chosen ones if none is given; fewer if no more sentences have a rare or unseen word. What the paper prints
    of a phrase stands below it. Raises InputError for files of unequal length, and for a line or phrase that is not
    there.
    """
    source, target = (
        Frequencies.of(read_counts(path), rare_rank) for path in (texts.source_counts, texts.target_counts)
    )
    sentences = _read((texts.source, texts.reference), systems)
    found = _with_phrases(phrases, sentences, texts.source)
    if lines or phrases:
        chosen = [*_given(lines, len(sentences), texts.source), *found]
    else:
        chosen = choose((_candidate(k, sentence, target) for k, sentence in enumerate(sentences, 1)), number)
    vocabularies = [Vocabulary.load(system.vocabulary) for system in systems]
    return {
        "pair": name[0],
        "test_set": name[1],
        "chosen": "given" if lines or phrases else "automatically",
        "rare_rank": rare_rank,
        "cut_frequency": target.cut_frequency(rare_rank),
        "examples": [
            _example(line, sentences[line - 1], systems, vocabularies, (source, target))
            | _printed(found.get(line), name[0])
            for line in chosen
        ],
    }


def _given(lines: Sequence[int], number: int, path: PathLike) -> list[int]:
    for line in lines:
        if not 1 <= line <= number:
            raise InputError(f"line {line} cannot be an example: {path} has lines 1 to {number}; choose one of these.")
    return list(lines)


def _with_phrases(phrases: Sequence[str], sentences: Sequence[_Sentence], path: PathLike) -> dict[int, str]:
    """The first line with each phrase, in whatever case, that no phrase before it has."""
    lines: dict[int, str] = {}
    for phrase in phrases:
        wanted = f" {' '.join(phrase.lower().split())} "
        places = (k for k, one in enumerate(sentences, 1) if wanted in f" {' '.join(one.source).lower()} ")
        line = next((k for k in places if k not in lines), None)
        if line is None:
            raise InputError(f"{path} has no (other) line with the words {phrase!r}; choose other words.")
        lines[line] = phrase
    return lines


def _printed(phrase: str | None, pair: str) -> dict[str, Any]:
    """What the paper's Tables 4 and 5 print of a phrase, as rows of systems."""
    if phrase is None:
        return {}
    rows = load_paper()["phrases"].get(pair, {}).get(phrase, [])
    printed = [
        {"label": f"{label}, paper", "source": _printed_words(source), "output": _printed_words(output)}
        for label, source, output in rows
    ]
    return {"phrase": phrase, "printed": printed}


def _printed_words(text: str) -> list[dict[str, Any]]:
    return [{"parts": word.split("|")} for word in text.split()]


def group_units(units: Iterable[str]) -> list[list[str]]:
    """The parts of each word, without `@@` and `##`: `["low@@", "est", "yes"]` -> `[["low", "est"], ["yes"]]`."""
    words: list[list[str]] = []
    previous = ""
    for unit in units:
        part = unit.removesuffix(JOINER)
        if words and goes_on(previous, unit):
            words[-1].append(part if previous.endswith(JOINER) else part.removeprefix(CONTINUATION))
        else:
            words.append([part])
        previous = unit
    return words


def _read(texts: tuple[PathLike, PathLike], systems: Sequence[UnitFiles]) -> list[_Sentence]:
    paths = [*texts, *(path for system in systems for path in (system.source, system.output))]
    columns = [[split_words(line) for line in read_lines(path)] for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if len(column) != len(columns[0]):
            raise InputError(
                f"{path} has {len(column)} lines but {paths[0]} has {len(columns[0])}: "
                "examples need files with one line for each sentence of the test set."
            )
    return [
        _Sentence(source, reference, list(zip(units[::2], units[1::2], strict=True)))
        for source, reference, *units in zip(*columns, strict=True)
    ]


def _candidate(line: int, sentence: _Sentence, frequencies: Frequencies) -> Candidate:
    """The basis of the choice: which systems have which of the rare and unseen words of the reference."""
    classes = {word: kind for word in sentence.reference if (kind := frequencies.word_class(word))}
    outputs = [set(_words(output)) for _, output in sentence.units]
    return Candidate(
        line=line,
        length=len(sentence.reference),
        text=" ".join(sentence.reference),
        unseen=frozenset(word for word, kind in classes.items() if kind == UNSEEN),
        rare=frozenset(word for word, kind in classes.items() if kind == RARE),
        found={word: tuple(word in output for output in outputs) for word in classes},
    )


def _example(
    line: int,
    sentence: _Sentence,
    systems: Sequence[UnitFiles],
    vocabularies: Sequence[Vocabulary],
    frequencies: tuple[Frequencies, Frequencies],
) -> dict[str, Any]:
    expected = Counter(sentence.reference)
    rows = []
    for system, vocabulary, (source, output) in zip(systems, vocabularies, sentence.units, strict=True):
        rows.append(
            {
                "system": system.system,
                "label": system.label,
                "source": _source_tokens(source, vocabulary, frequencies[0]),
                "output": _output_tokens(output, expected, frequencies[1]),
            }
        )
    return {
        "line": line,
        "source": [_token([word], frequencies[0]) for word in sentence.source],
        "reference": [_token([word], frequencies[1]) for word in sentence.reference],
        "words": _words_of_interest(sentence, systems, frequencies[1]),
        "systems": rows,
    }


def _words_of_interest(
    sentence: _Sentence, systems: Sequence[UnitFiles], frequencies: Frequencies
) -> list[dict[str, Any]]:
    """The rare and unseen words of the reference, each once, with the systems that have it."""
    outputs = [set(_words(output)) for _, output in sentence.units]
    return [
        {
            "word": word,
            "class": frequencies.word_class(word),
            "frequency": frequencies.counts.get(word, 0),
            "found_by": [system.label for system, output in zip(systems, outputs, strict=True) if word in output],
        }
        for word in dict.fromkeys(sentence.reference)
        if frequencies.word_class(word)
    ]


def _token(parts: list[str], frequencies: Frequencies) -> dict[str, Any]:
    """A word as parts, with class and training frequency if it is rare or unseen."""
    word = "".join(parts)
    kind = frequencies.word_class(word)
    return {"parts": parts} | ({} if kind is None else {"class": kind, "frequency": frequencies.counts.get(word, 0)})


def _source_tokens(units: list[str], vocabulary: Vocabulary, frequencies: Frequencies) -> list[dict[str, Any]]:
    """Words of the source as the network reads them; `unknown` lists the parts that are not in its vocabulary."""
    tokens = []
    position = 0
    for parts in group_units(units):
        own = units[position : position + len(parts)]
        position += len(parts)
        unknown = [k for k, unit in enumerate(own) if unit not in vocabulary]
        tokens.append(_token(parts, frequencies) | ({"unknown": unknown} if unknown else {}))
    return tokens


def _output_tokens(units: list[str], reference: Counter[str], frequencies: Frequencies) -> list[dict[str, Any]]:
    """Words of a translation; a rare or unseen one is `right` if the reference has it (as often, as in unigram F1)."""
    left = Counter(reference)
    tokens = []
    for parts in group_units(units):
        token = _token(parts, frequencies)
        word = "".join(parts)
        if word == UNKNOWN_TEXT:
            token["unknown"] = [0]
        elif "class" in token:
            token["right"] = left[word] > 0
        left[word] -= 1
        tokens.append(token)
    return tokens


def _words(units: Iterable[str]) -> list[str]:
    return ["".join(parts) for parts in group_units(units)]
