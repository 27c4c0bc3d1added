"""The one chain from raw text to units and back.

Normalise, tokenise, truecase, segment; restore, detruecase, detokenise. The workflow runs the steps as separate
commands, a bundle runs them at once, and scoring and `init` run the first ones. All of them take the steps from here
(docs/reproduction/preprocessing.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rarewords.errors import InputError
from rarewords.text import moses, raw
from rarewords.text.clean_up import clean_line
from rarewords.text.files import split_words
from rarewords.text.truecasing import TruecaseModel, detruecase


class UnitSegmenter(Protocol):
    """The part of a segmenter that the chain needs (`rarewords.segmentation.protocol.Segmenter`)."""

    def segment_text(self, text: str) -> str: ...
    def restore(self, units: Iterable[str]) -> list[str]: ...


@dataclass(frozen=True)
class Preprocessing:
    """Which steps the text of a language goes through; the names are those of `preprocess` in config/README.md.

    A system that reads raw text leaves out all of them: `Preprocessing(language, normalise=False, tokenise=False,
    truecase=False)`; its words are what single spaces separate (see `raw.py`), and `text` gives back the line,
    character for character. `aggressive` and `escape` say how to tokenise and mean nothing without `tokenise`. `clean`
    are steps of `clean_up.py`, which come first and cannot be undone.
    """

    language: str
    normalise: bool = True
    tokenise: bool = True
    aggressive: bool = False
    escape: bool = True
    truecase: bool = True
    clean: tuple[str, ...] = ()

    def tokens(self, line: str) -> str:
        """A raw line as words separated by spaces, without truecasing."""
        line = clean_line(line, self.clean)
        if self.normalise:
            line = moses.normalise_punctuation(line, self.language)
        if not self.tokenise:
            return raw.to_words(line)
        return moses.tokenise(line, self.language, self.aggressive, self.escape)

    def truecased(self, tokens: str, model: TruecaseModel | None) -> str:
        """Tokens with sentence beginnings as `model` knows them; without a model they stay."""
        return model.apply(tokens) if self.truecase and model is not None else tokens

    def text(self, tokens: str) -> str:
        """Running text of truecased tokens."""
        if self.truecase:
            tokens = detruecase(tokens, self.language)
        return moses.detokenise(tokens, self.language, self.escape) if self.tokenise else raw.from_words(tokens)


class Chain:
    """Raw text of one language to units and back, with the truecaser and the segmenter of its side."""

    def __init__(
        self,
        preprocessing: Preprocessing,
        truecaser: TruecaseModel | None = None,
        segmenter: UnitSegmenter | None = None,
    ) -> None:
        self.preprocessing, self.truecaser, self._segmenter = preprocessing, truecaser, segmenter

    @property
    def segmenter(self) -> UnitSegmenter:
        """The segmenter; raises InputError for a chain that ends at words."""
        if self._segmenter is None:
            raise InputError("this chain has no segmenter: it only goes from raw text to words and back.")
        return self._segmenter

    def words(self, line: str) -> list[str]:
        """The truecased tokens of a raw line."""
        return split_words(self.preprocessing.truecased(self.preprocessing.tokens(line), self.truecaser))

    def units(self, words: Sequence[str]) -> list[str]:
        """The units of some words."""
        return split_words(self.segmenter.segment_text(" ".join(words)))

    def restore(self, units: Sequence[str]) -> list[str]:
        """The words of some units."""
        return self.segmenter.restore(units)

    def text(self, words: Sequence[str]) -> str:
        """Running text of the words of a line."""
        return self.preprocessing.text(" ".join(words))
