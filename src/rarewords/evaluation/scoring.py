"""Score one translation: BLEU, chrF3, chrF2 and, with training counts, unigram F1; all in one JSON-able dict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.evaluation import metrics
from rarewords.evaluation.statistics import Statistics
from rarewords.evaluation.text_checks import text_warnings
from rarewords.evaluation.unigram_f1 import unigram_f1
from rarewords.text.files import PathLike, read_lines, sha256_of_input


@dataclass(frozen=True)
class UnigramInputs:
    """What unigram F1 needs besides the two raw texts.

    The training counts come from `train_counts` (a file of `word count` lines) or from `train_text` (tokenised,
    truecased target text). The texts compared are the two tokenised files or, without them, the raw ones after
    punctuation normalisation, tokenisation for `language` and truecasing with `truecase_model` (if given).
    """

    train_text: PathLike | None = None
    train_counts: PathLike | None = None
    tokenised_hypothesis: PathLike | None = None
    tokenised_reference: PathLike | None = None
    truecase_model: PathLike | None = None
    language: str | None = None
    rare_rank: int = 50_000

    def files(self) -> dict[str, PathLike]:
        """The files given, by role."""
        roles = ("train_text", "train_counts", "tokenised_hypothesis", "tokenised_reference", "truecase_model")
        return {role: getattr(self, role) for role in roles if getattr(self, role) is not None}


@dataclass(frozen=True)
class Words:
    """The inputs of unigram F1: words of both texts, one string per line, and those of the training text."""

    hypothesis: list[str]
    reference: list[str]
    counts: Mapping[str, int]


def score_files(hypothesis: PathLike, reference: PathLike, unigram: UnigramInputs | None = None) -> dict[str, Any]:
    """Score a detokenised translation against the raw reference; without `unigram` no unigram F1 (null).

    BLEU and chrF are on the scale 0 to 100, unigram F1 in percent, `sentences` is the number of lines. Raises
    InputError for empty files, unequal numbers of lines, a reference without text and incomplete unigram inputs.
    """
    if unigram is not None:
        check_inputs(unigram)
    hypotheses, references = read_pair(hypothesis, reference)
    words = None
    if unigram is not None:
        counts = training_counts(unigram)
        words = Words(hypothesis_words(hypotheses, unigram), reference_words(references, unigram), counts)
    return score_texts((hypothesis, hypotheses), (reference, references), unigram, words)


def score_texts(
    hypothesis: tuple[PathLike, list[str]],
    reference: tuple[PathLike, list[str]],
    unigram: UnigramInputs | None,
    words: Words | None,
    statistics: Mapping[str, Statistics] | None = None,
) -> dict[str, Any]:
    """The result of score_files, for texts that have been read (path and lines); `words` are those of `unigram`.

    `statistics` are `metrics.text_statistics` of the texts, where they have been counted before.
    """
    hypotheses, references = hypothesis[1], reference[1]
    f1 = None
    if unigram is not None and words is not None:
        f1 = unigram_f1(words.hypothesis, words.reference, words.counts, unigram.rare_rank)
    files = {"hypothesis": hypothesis[0], "reference": reference[0]} | ({} if unigram is None else unigram.files())
    return {
        "rarewords": __version__,
        "sentences": len(references),
        **metrics.scores_of(statistics or metrics.text_statistics(hypotheses, references)),
        "unigram_f1": f1,
        "warnings": text_warnings(hypothesis, reference),
        "inputs": {role: identity(path) for role, path in files.items()},
    }


def check_inputs(unigram: UnigramInputs) -> None:
    """Raise InputError for inputs that are incomplete or given twice."""
    if (unigram.train_text is None) == (unigram.train_counts is None):
        raise InputError("Unigram F1 needs the training words once: give either a training text or its counts.")
    if (unigram.tokenised_hypothesis is None) != (unigram.tokenised_reference is None):
        raise InputError("A tokenised hypothesis and a tokenised reference belong together: give both or neither.")
    if unigram.tokenised_hypothesis is None and unigram.language is None:
        raise InputError(
            "Unigram F1 of raw text needs the target language to tokenise it: give --language, for example de."
        )


def read_pair(hypothesis: PathLike, reference: PathLike) -> tuple[list[str], list[str]]:
    """The lines of both files; raises InputError for empty files, unequal numbers of lines, a blank reference."""
    texts, references = read_texts({"": hypothesis}, reference)
    return texts[""], references


def read_texts(hypotheses: Mapping[str, PathLike], reference: PathLike) -> tuple[dict[str, list[str]], list[str]]:
    """The same for several translations by name and their reference; every file is read once."""
    texts = {name: list(read_lines(path)) for name, path in hypotheses.items()}
    references = list(read_lines(reference))
    for name, path in [*hypotheses.items(), ("", reference)]:
        if not (references if path is reference else texts[name]):
            raise InputError(f"{path} is empty; give a translation and its reference.")
    if not any(line.strip() for line in references):
        raise InputError(f"{reference} has only blank lines: a test set without a reference cannot be scored.")
    for name, path in hypotheses.items():
        if len(texts[name]) != len(references):
            raise InputError(
                f"{path} has {len(texts[name])} lines but {reference} has {len(references)}: "
                "a translation needs one line for each line of the reference."
            )
    return texts, references


def hypothesis_words(lines: list[str], unigram: UnigramInputs) -> list[str]:
    """The words of a translation, from the tokenised file or, without one, made from the raw lines."""
    given = unigram.tokenised_hypothesis
    return list(_tokenise(lines, unigram) if given is None else _tokenised(given, len(lines)))


def reference_words(lines: list[str], unigram: UnigramInputs) -> list[str]:
    """The words of the reference, as hypothesis_words."""
    given = unigram.tokenised_reference
    return list(_tokenise(lines, unigram) if given is None else _tokenised(given, len(lines)))


def training_counts(unigram: UnigramInputs) -> dict[str, int]:
    """Counts in order of first occurrence, which settles ties of rank."""
    from rarewords.corpus.importing import count_words, read_counts

    if unigram.train_counts is not None:
        source, counts = unigram.train_counts, read_counts(unigram.train_counts)
    else:
        assert unigram.train_text is not None  # check_inputs
        source, counts = unigram.train_text, count_words(read_lines(unigram.train_text))
    if not counts:
        raise InputError(f"{source} contains no words: unigram F1 needs the words of the target training text.")
    return counts


def _tokenised(path: PathLike, expected: int) -> Iterator[str]:
    """The lines of a tokenised file; raises InputError at its end if there are not `expected` of them."""
    number = 0
    for line in read_lines(path):
        number += 1
        if number > expected:
            break
        yield line
    if number != expected:
        found = f"more than {expected}" if number > expected else str(number)
        raise InputError(
            f"{path} has {found} lines but the raw reference has {expected}: "
            "the tokenised files must be made from the raw ones line by line."
        )


def _tokenise(lines: Iterable[str], unigram: UnigramInputs) -> Iterator[str]:
    """Raw lines as the training text was made: punctuation normalised, tokenised and, with a model, truecased."""
    from rarewords.text.chain import Preprocessing
    from rarewords.text.truecasing import TruecaseModel

    assert unigram.language is not None  # check_inputs
    model = None if unigram.truecase_model is None else TruecaseModel.load(unigram.truecase_model, unigram.language)
    steps = Preprocessing(unigram.language)
    for line in lines:
        yield steps.truecased(steps.tokens(line), model)


def identity(path: PathLike) -> dict[str, str | None]:
    """Path as given, and the SHA-256 of the file, or of what was read from a pipe."""
    return {"path": str(path), "sha256": sha256_of_input(path)}
