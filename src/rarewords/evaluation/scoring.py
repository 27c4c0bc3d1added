"""Score one translation: BLEU, chrF3, chrF2 and, with training counts, unigram F1; all in one JSON-able dict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.evaluation import metrics
from rarewords.evaluation.aligned import read_blocks
from rarewords.evaluation.registry import TESTED_OF_TEXT, TEXT_METRICS
from rarewords.evaluation.significance import word_tallies
from rarewords.evaluation.statistics import Tally
from rarewords.evaluation.text_checks import TextChecks
from rarewords.evaluation.unigram_f1 import WordTotals, unigram_scores, word_totals
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


def score_files(hypothesis: PathLike, reference: PathLike, unigram: UnigramInputs | None = None) -> dict[str, Any]:
    """Score a detokenised translation against the raw reference; without `unigram` no unigram F1 (null).

    BLEU and chrF are on the scale 0 to 100, unigram F1 in percent, `sentences` is the number of lines. No text is in
    memory. Raises InputError for empty files, unequal numbers of lines, a reference without text and incomplete unigram
    inputs.
    """
    counted = count({"": hypothesis}, reference, {} if unigram is None else {"": unigram})
    return counted[""].result()


class Counted:
    """What the scores of one translation are computed from, added up block by block.

    `of_text` has the statistics of the metrics of text, `of_words` those of the tested metrics of words (only if the
    rows of the sentences are to stay in memory, for a test of significance).
    """

    def __init__(
        self,
        hypothesis: PathLike,
        reference: PathLike,
        unigram: UnigramInputs | None,
        training: Mapping[str, int],
        keep_sentences: bool,
    ) -> None:
        self.hypothesis, self.reference, self.unigram, self.training = hypothesis, reference, unigram, training
        self.lines = 0
        self.checks = TextChecks(hypothesis, reference)
        self.of_text = {
            name: Tally(metric.counter(), keep_sentences)
            for name, metric in TEXT_METRICS.items()
            if metric.statistics == name
        }
        self.words = WordTotals()
        self.of_words: dict[str, Tally] = {}
        if unigram is not None and keep_sentences:
            self.of_words = word_tallies(training, unigram.rare_rank)

    def add(self, hypotheses: Sequence[str], references: Sequence[str]) -> None:
        """Count the next lines of both raw texts."""
        self.lines += len(references)
        self.checks.add(hypotheses, references)
        for tally in self.of_text.values():
            tally.add(hypotheses, references)

    def add_words(self, hypotheses: Sequence[str], references: Sequence[str]) -> None:
        """Count the words of the same lines."""
        self.words.merge(word_totals(hypotheses, references), self.training)
        for tally in self.of_words.values():
            tally.add(hypotheses, references)

    def tested(self) -> dict[str, Tally]:
        """The tallies of all metrics that are tested, by the name of the metric."""
        return {metric.name: self.of_text[metric.statistics] for metric in TESTED_OF_TEXT} | self.of_words

    def result(self) -> dict[str, Any]:
        """The scores of all lines, as a JSON-able dict."""
        files = {"hypothesis": self.hypothesis, "reference": self.reference}
        unigram = None
        if self.unigram is not None:
            files |= self.unigram.files()
            unigram = unigram_scores(self.words, self.training, self.unigram.rare_rank)
        return {
            "rarewords": __version__,
            "sentences": self.lines,
            **metrics.scores_of({name: tally.totals for name, tally in self.of_text.items()}),
            "unigram_f1": unigram,
            "warnings": self.checks.warnings(),
            "inputs": {role: identity(path) for role, path in files.items()},
        }


def count(
    hypotheses: Mapping[str, PathLike],
    reference: PathLike,
    unigram: Mapping[str, UnigramInputs],
    keep_sentences: bool = False,
) -> dict[str, Counted]:
    """Read translations by name and their reference once, in step, and count what their scores need.

    `unigram` has the inputs of unigram F1 of each, which differ in nothing but the tokenised hypothesis, or is empty.
    Raises InputError as score_files does.
    """
    for inputs in unigram.values():
        check_inputs(inputs)
    shared = next(iter(unigram.values()), None)
    training = {} if shared is None else training_counts(shared)
    counted = {
        name: Counted(path, reference, unigram.get(name), training, keep_sentences) for name, path in hypotheses.items()
    }
    words = {name: WordLines(inputs.tokenised_hypothesis, inputs) for name, inputs in unigram.items()}
    expected = None if shared is None else WordLines(shared.tokenised_reference, shared)
    for block in read_blocks(hypotheses, reference):
        reference_words = None if expected is None else expected.take(block.references)
        for name, lines in block.hypotheses.items():
            counted[name].add(lines, block.references)
            if reference_words is not None:
                counted[name].add_words(words[name].take(lines), reference_words)
    for source in [*words.values(), *([] if expected is None else [expected])]:
        source.check_end()
    return counted


class WordLines:
    """The words of a raw text, a string for each line: from a tokenised file or, without one, made from the text."""

    def __init__(self, path: PathLike | None, unigram: UnigramInputs) -> None:
        self.path = path
        self._file: Iterator[str] = iter(()) if path is None else read_lines(path)
        self._tokenise = None if path is not None else _tokeniser(unigram)
        self._wanted = self._read = 0

    def take(self, lines: Sequence[str]) -> list[str]:
        """The words of the next lines of the raw text."""
        if self._tokenise is not None:
            return list(map(self._tokenise, lines))
        block = list(islice(self._file, len(lines)))
        self._wanted += len(lines)
        self._read += len(block)
        return block + [""] * (len(lines) - len(block))  # check_end refuses a file that is too short

    def check_end(self) -> None:
        """Raise InputError if the tokenised file has more or fewer lines than the raw text."""
        has_more = next(self._file, None) is not None
        if self._read == self._wanted and not has_more:
            return
        number = f"more than {self._wanted}" if has_more else str(self._read)
        raise InputError(
            f"{self.path} has {number} lines but the raw reference has {self._wanted}: "
            "the tokenised files must be made from the raw ones line by line."
        )


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


def _tokeniser(unigram: UnigramInputs) -> Callable[[str], str]:
    """Makes raw lines what the training text was: punctuation normalised, tokenised and, with a model, truecased."""
    from rarewords.text.chain import Preprocessing
    from rarewords.text.truecasing import TruecaseModel

    assert unigram.language is not None  # check_inputs
    model = None if unigram.truecase_model is None else TruecaseModel.load(unigram.truecase_model, unigram.language)
    steps = Preprocessing(unigram.language)
    return lambda line: steps.truecased(steps.tokens(line), model)


def identity(path: PathLike) -> dict[str, str | None]:
    """Path as given, and the SHA-256 of the file, or of what was read from a pipe."""
    return {"path": str(path), "sha256": sha256_of_input(path)}
