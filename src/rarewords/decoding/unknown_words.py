"""Replace the unknown words of finished translations with the source words they attend to (paper, section 4: WDict;
docs/reproduction/decoding.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewords.alignment.lexicon import Lexicon
from rarewords.decoding.translator import BATCH_SIZE, Translator, Units
from rarewords.errors import InputError
from rarewords.vocabulary import UNKNOWN_TEXT, Vocabulary

# What replaces an unknown word: its source word; the dictionary's entry for its source word, or the source word if
# it has none; the same, but only for source words that start with a lower-case letter, as names do not.
# Numbers 0, 1 and 2 in the paper's code.
HEURISTICS = ("copy", "dictionary", "dictionary-lowercase")


def replace_unknown_words(
    translator: Translator,
    sentences: Sequence[Units],
    translations: Sequence[Units],
    lexicon: Lexicon,
    heuristic: str,
    batch_size: int = BATCH_SIZE,
    first_line: int = 1,
) -> list[list[str]]:
    """Translations without unknown words, from the source sentences and the translations of the translator's members.

    heuristic is one of HEURISTICS; first_line is the number of the first sentence in messages.
    Raises InputError that names the line if the numbers of lines differ, for a unit
    that the members do not know, and for a translation of an empty line.
    """
    if len(sentences) != len(translations):
        raise InputError(
            f"{len(sentences):,} source lines, but {len(translations):,} translations; give the files of one test set."
        )
    for number, (sentence, units) in enumerate(zip(sentences, translations, strict=True), first_line):
        _check(number, sentence, units, translator.target_vocabulary)
    results = [list(units) for units in translations]
    concerned = [k for k, units in enumerate(results) if any(_unknown(unit, translator) for unit in units)]
    weights = translator.attention([sentences[k] for k in concerned], [results[k] for k in concerned], batch_size)
    for k, own in zip(concerned, weights, strict=True):
        words = _attended(sentences[k], own)
        results[k] = [
            replacement(word, lexicon, heuristic) if _unknown(unit, translator) else unit
            for unit, word in zip(results[k], words, strict=True)
        ]
    return results


def replacement(word: str, lexicon: Lexicon, heuristic: str) -> str:
    """The replacement, by one of HEURISTICS, of an unknown word that attends to this source word."""
    if heuristic == "copy" or (heuristic == "dictionary-lowercase" and not word[:1].islower()):
        return word
    return lexicon.best(word) or word


def _attended(sentence: Units, weights: NDArray[np.floating[Any]]) -> list[str]:
    """The source word with the greatest weight for every target position, without the end of the sentence, the last."""
    return [sentence[position] for position in weights[:, :-1].argmax(axis=1)]


def _unknown(unit: str, translator: Translator) -> bool:
    return unit == UNKNOWN_TEXT and unit not in translator.target_vocabulary


def _check(number: int, sentence: Units, units: Units, vocabulary: Vocabulary) -> None:
    foreign = next((unit for unit in units if unit != UNKNOWN_TEXT and unit not in vocabulary), None)
    if foreign is not None:
        raise InputError(
            f"line {number}: {foreign!r} is not a unit of the members; give the units as these members wrote them."
        )
    if units and not sentence:
        raise InputError(f"line {number}: an empty source line has a translation; give the files of one test set.")
