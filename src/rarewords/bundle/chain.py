"""Raw text to units and back, by the steps of the workflow (docs/reproduction.md, section Preprocessing)."""

from __future__ import annotations

from collections.abc import Sequence

from rarewords.bundle import contents
from rarewords.bundle.contents import Bundle
from rarewords.errors import InputError
from rarewords.segmentation.bpe.segmenter import BpeSegmenter
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.registry import load
from rarewords.text.files import split_words
from rarewords.text.moses import detokenise, normalise_punctuation, tokenise
from rarewords.text.truecasing import TruecaseModel, detruecase
from rarewords.vocabulary import Vocabulary


class SourceChain:
    """Normalise, tokenise, truecase, segment."""

    def __init__(self, bundle: Bundle, vocabulary: Vocabulary) -> None:
        """`vocabulary` limits the segmentation of a system with `fallback`."""
        self.settings = bundle.settings
        self.truecaser = TruecaseModel.load(bundle.folder / contents.TRUECASER)
        self.segmenter = _restricted(bundle, load(bundle.folder / contents.SOURCE_SEGMENTER), vocabulary)

    def words(self, line: str) -> list[str]:
        """The truecased tokens of a raw line."""
        language = self.settings.source_language
        if self.settings.normalise:
            line = normalise_punctuation(line, language)
        return split_words(self.truecaser.apply(tokenise(line, language, self.settings.aggressive)))

    def units(self, words: Sequence[str]) -> list[str]:
        """The units of some words."""
        return split_words(self.segmenter.segment_text(" ".join(words)))


class TargetChain:
    """Undo the segmentation, detruecase, detokenise."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises InputError for a segmentation that cannot be undone."""
        self.language = bundle.settings.target_language
        self.segmenter = load(bundle.folder / contents.TARGET_SEGMENTER)
        if not self.segmenter.restorable:
            raise InputError(
                f"{bundle.folder}: the segmentation {self.segmenter.method} of the target side cannot be undone."
            )

    def words(self, units: Sequence[str]) -> list[str]:
        """The words of some units."""
        return self.segmenter.restore(units)

    def text(self, words: Sequence[str]) -> str:
        """Running text of the words of a line."""
        return detokenise(detruecase(" ".join(words)), self.language)


def _restricted(bundle: Bundle, segmenter: Segmenter, vocabulary: Vocabulary) -> Segmenter:
    if not bundle.settings.fallback:
        return segmenter
    if not isinstance(segmenter, BpeSegmenter):
        raise InputError(f"{bundle.folder}: fallback needs byte pair encoding, but the method is {segmenter.method}.")
    return segmenter.restricted_to(frozenset(vocabulary.units))
