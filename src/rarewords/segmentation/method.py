"""A method of segmentation before anything is learned: its settings, what it can do, and how segmenters are learned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from rarewords.segmentation.protocol import Segmenter

Progress = Callable[[int, int], None]  # called with (steps done, steps in all)


@dataclass(frozen=True)
class Capabilities:
    """What a method can do. `sampling` is the number that random segmentations depend on, dropout or alpha."""

    restorable: bool = True  # translations come out as words of the target language, so that a system may use it
    sampling: str | None = None
    needs_blocks: bool = False  # source units that only a network with `source_blocks` can read
    has_merges: bool = False  # which can be undone where they make units outside a vocabulary


class Method(ABC):
    """A method: its name in configurations and files, and what is known about it without a segmenter."""

    method: ClassVar[str]
    offers: ClassVar[Capabilities] = Capabilities()

    @classmethod
    @abstractmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """The settings with the defaults filled in.

        Raises InputError for a setting that is unknown, missing or out of range.
        """

    @classmethod
    def capabilities(cls, settings: dict[str, Any]) -> Capabilities:
        """What the method can do with complete settings: what it offers, or less."""
        return cls.offers

    @classmethod  # noqa: B027
    def check_languages(cls, languages: Sequence[str]) -> None:
        """Raises InputError if the method does not suit these languages, the source's and the target's."""

    @classmethod
    def smallest_vocabulary(cls, settings: dict[str, Any], side: int) -> int:
        """How many units a network vocabulary needs, from complete settings: one more than there are reserved.

        The source is side 0, the target side 1.
        """
        return 1

    @classmethod
    def fit(
        cls,
        settings: dict[str, Any],
        counts: list[dict[str, int]],
        languages: list[str],
        progress: Progress | None = None,
    ) -> list[Any]:
        """Learn one segmenter for each side from the word counts of its training text.

        `counts[i]` belongs to `languages[i]`, words in order of first occurrence; the first side is the source. Raises
        InputError for wrong settings and unsuitable languages.
        """
        complete = cls.complete(settings)
        cls.check_languages(languages)
        return list(cls.learn_segmenters(complete, counts, languages, progress))

    @classmethod
    @abstractmethod
    def learn_segmenters(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], languages: list[str], progress: Progress | None
    ) -> Sequence[Segmenter]:
        """What `fit` does, with complete settings and languages that suit. Segmenters may be of other methods."""
