"""The interface of every segmentation: fit, segment, restore, save, load.

A segmenter belongs to one side of a language pair. It is one self-describing JSON file:

    {"method": "bpe", "version": 1, "language": "de", "settings": {...}, "data": ...}

A new segmentation is one file with a subclass, and one line in `registry.py` (docs/adding-a-segmentation.md).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import joiner
from rarewords.segmentation.cache import WordCache
from rarewords.segmentation.method import Capabilities, Method, Progress
from rarewords.text.documents import Kind, fitted, read_json, write_json
from rarewords.text.files import PathLike
from rarewords.text.shapes import anything, map_of, one_of, record, text

FILE_VERSION = 1
FILE = Kind("a segmenter file", record({"method": text()}, open_=True), "write one with `rarewords segment fit`")
KIND = Kind(
    "a segmenter",
    record(
        {
            "method": text(),
            "version": one_of(FILE_VERSION),
            "language": text(),
            "settings": map_of(anything()),
            "data": anything(),
        }
    ),
    "fit it again",
)


class Segmenter(Method):
    """Cuts words into units, and undoes it: `restore(segment(words)) == words` for every list of words.

    Words are strings without U+0020; every other character is an ordinary one. A segmenter that is not restorable
    serves statistics only. `learned` is what a side has learned.
    """

    def __init__(self, settings: dict[str, Any], language: str, learned: Any = None) -> None:
        self.settings = settings
        self.language = language
        self._texts = WordCache(self._text)

    @classmethod
    def learn_segmenters(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], languages: list[str], progress: Progress | None
    ) -> Sequence[Segmenter]:
        """See `Method.learn_segmenters`; one segmenter for what `_learn` finds for each side."""
        learned = cls._learn(settings, counts, progress)
        return [cls(settings, language, side) for language, side in zip(languages, learned, strict=True)]

    @classmethod
    def _learn(cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None) -> Sequence[Any]:
        """What each side has to learn, from complete settings; by default there is nothing to learn.

        Joint methods look at all sides, the others at one at a time.
        """
        return [None] * len(counts)

    @abstractmethod
    def _cut(self, word: str) -> list[str]:
        """The parts of a word, without joiners; together they are the word."""

    @abstractmethod
    def _data(self) -> Any:
        """What was learned, as a JSON value."""

    @classmethod
    @abstractmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        """The inverse of `_data`."""

    @abstractmethod
    def summary(self) -> str:
        """What was learned, in a few words for the log."""

    def reserved_units(self) -> list[str]:
        """Units that every network vocabulary holds, even if the training text has none of them."""
        return []

    def segment(self, words: Iterable[str]) -> list[str]:
        """The units of a list of words."""
        return [unit for word in words for unit in self._texts[word].split(" ")]

    def segment_word(self, word: str) -> list[str]:
        """The units of one word: all but the last end in `@@`."""
        return self._texts[word].split(" ")

    def segment_text(self, text: str) -> str:
        """Words that are separated by spaces as units that are separated by single spaces."""
        return " ".join(map(self._texts.__getitem__, filter(None, text.split(" "))))

    def segment_text_at_random(self, text: str, strength: float, random: Random) -> str:
        """Like `segment_text`, but with random segmentations; `strength` is the number for `sampling`."""
        words = filter(None, text.split(" "))
        return " ".join([joiner.mark(self._cut_at_random(word, strength, random)) for word in words])

    def _cut_at_random(self, word: str, strength: float, random: Random) -> list[str]:
        """Like `_cut`; only for methods that offer `sampling`."""
        raise NotImplementedError(f"{self.method} has one segmentation of each word")

    def restore(self, units: Iterable[str]) -> list[str]:
        """The words of a list of units, also of one that a network made: a last dangling `@@` is removed."""
        return joiner.join(units)

    def to_json(self) -> dict[str, Any]:
        """The segmenter as a JSON value, see the head of this file."""
        return {
            "method": self.method,
            "version": FILE_VERSION,
            "language": self.language,
            "settings": self.settings,
            "data": self._data(),
        }

    @classmethod
    def from_json(cls, value: Any, origin: str = "segmenter") -> Self:
        """Inverse of `to_json`; raises InputError, naming `origin`, for another method or damaged content."""
        if not isinstance(value, dict) or value.get("method") != cls.method:
            raise InputError(f"{origin}: not a segmenter of the method {cls.method}; give one, or fit it again.")
        if value.get("version") != FILE_VERSION:
            raise InputError(
                f"{origin}: segmenter file version {value.get('version')!r}, but this program reads version "
                f"{FILE_VERSION}; fit it again."
            )
        try:
            fitted(value, KIND, origin)
            return cls._from_data(value["settings"], value["language"], value["data"])
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InputError(f"{origin}: the {cls.method} segmenter is damaged ({error}); fit it again.") from error

    def save(self, path: PathLike) -> None:
        """Write the segmenter as one JSON file."""
        write_json(path, self.to_json())

    @classmethod
    def load(cls, path: PathLike) -> Self:
        """Read what `save` wrote; `registry.load` does so without knowing the method beforehand."""
        return cls.from_json(read_json(path, FILE), origin=str(path))

    def _text(self, word: str) -> str:
        """The units of a word, separated by spaces, which no unit contains."""
        # An empty word has no parts to mark; it stays what it is, so that restore gives it back.
        return joiner.mark(self._cut(word)) if word else ""


class OneWaySegmenter(Segmenter):
    """A segmenter whose parts are plain words, without a sign that they belong together."""

    offers = Capabilities(restorable=False)

    def restore(self, units: Iterable[str]) -> list[str]:
        """Raises InputError: nothing tells which units belong together."""
        raise InputError(
            f"the segmentation {self.method} cannot be undone and serves statistics only; choose another one for a "
            "translation system."
        )

    def _text(self, word: str) -> str:
        return " ".join(self._cut(word)) if word else ""
