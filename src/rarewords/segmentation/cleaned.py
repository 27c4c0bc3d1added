"""Text clean-up before another segmentation (`cleaned`).

Settings: `segmentation`, the other one, a `method` and its settings; `clean`, which steps to take (default: all), with
`strip_diacritics` (Arabic ones), `urls`, `mentions` and `hashtags` (each word of the kind becomes `URL`, `USER` or
`HASHTAG`, one unit); `sides`, "source" (default) or "both".

Cleaning cannot be undone, units can: restoring gives the cleaned words. So a system of translation may clean its source
side; cleaning both sides serves statistics only. See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

from rarewords.errors import InputError
from rarewords.segmentation import settings as checks
from rarewords.segmentation.method import Capabilities, Method, Progress
from rarewords.segmentation.protocol import Segmenter
from rarewords.text.clean_up import SETTINGS, clean_word, literals

SIDES = ("source", "both")


class CleanedSegmenter(Segmenter):
    """Another segmenter, before which the words are cleaned if `cleans`."""

    method = "cleaned"
    # How methods and their files are found; the registry, which knows this class, gives itself here.
    find: ClassVar[Callable[[str], type[Method]]]
    from_any_json: ClassVar[Callable[[Any, str], Segmenter]]

    def __init__(self, settings: dict[str, Any], language: str, cleans: bool, inner: Segmenter) -> None:
        super().__init__(settings, language)
        self.cleans = cleans
        self.inner = inner
        self._literals = literals(settings["clean"]) if cleans else []
        self._whole = frozenset(self._literals)

    @classmethod
    def learn_segmenters(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], languages: list[str], progress: Progress | None
    ) -> list[Self]:
        """Learn the other segmentation from the cleaned words, without the literals. The first side is the source."""
        method, inner_settings = cls._inner(settings)
        cleans = [_cleans(settings, side) for side in range(len(counts))]
        cleaned = [
            _clean_counts(side, settings["clean"]) if cleans_it else side
            for side, cleans_it in zip(counts, cleans, strict=True)
        ]
        inner = method.fit(inner_settings, cleaned, languages, progress)
        return [
            cls(settings, language, cleans_it, segmenter)
            for language, cleans_it, segmenter in zip(languages, cleans, inner, strict=True)
        ]

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`; the settings of the other segmentation are completed, too."""
        complete = checks.complete(cls.method, settings, ["segmentation"], {"clean": {}, "sides": "source"})
        checks.check_choice(cls.method, complete, "sides", SIDES)
        for key in ("clean", "segmentation"):
            if not isinstance(complete[key], dict):
                raise InputError(f"segmentation {cls.method}: the setting {key!r} must be a map of settings.")
        steps = checks.complete(f"{cls.method}.clean", complete["clean"], [], dict.fromkeys(SETTINGS, True))
        for key in SETTINGS:
            checks.check_boolean(f"{cls.method}.clean", steps, key)
        method, inner_settings = cls._inner(complete)
        segmentation = {"method": method.method} | method.complete(inner_settings)
        return complete | {"clean": steps, "segmentation": segmentation}

    @classmethod
    def capabilities(cls, settings: dict[str, Any]) -> Capabilities:
        """See `Method.capabilities`; a target side that is cleaned cannot be restored."""
        method, inner_settings = cls._inner(settings)
        inner = method.capabilities(method.complete(inner_settings))
        return Capabilities(restorable=settings["sides"] == "source" and inner.restorable)

    def restore(self, units: Iterable[str]) -> list[str]:
        """The words of a list of units, cleaned on a side that is cleaned."""
        return self.inner.restore(units)

    def reserved_units(self) -> list[str]:
        """The literals, and the reserved units of the other segmentation."""
        return [*self._literals, *self.inner.reserved_units()]

    @classmethod
    def smallest_vocabulary(cls, settings: dict[str, Any], side: int) -> int:
        """See `Segmenter.smallest_vocabulary`."""
        method, inner_settings = cls._inner(settings)
        inner = method.smallest_vocabulary(method.complete(inner_settings), side)
        return inner + (len(literals(settings["clean"])) if _cleans(settings, side) else 0)

    @classmethod
    def _inner(cls, settings: dict[str, Any]) -> tuple[type[Method], dict[str, Any]]:
        """The other method, and its settings."""
        inner_settings = dict(settings["segmentation"])
        if not isinstance(inner_settings.get("method"), str):
            raise InputError(f"segmentation {cls.method}: the setting 'segmentation' needs a 'method'.")
        return cls.find(inner_settings.pop("method")), inner_settings

    def summary(self) -> str:
        return f"{'cleaned' if self.cleans else 'not cleaned'}, {self.inner.method}: {self.inner.summary()}"

    def _text(self, word: str) -> str:
        if self.cleans:
            word = clean_word(word, self.settings["clean"])
        return word if word in self._whole else " ".join(self.inner.segment_word(word))

    def _cut(self, word: str) -> list[str]:
        raise NotImplementedError("the other segmentation cuts and marks in one step")

    def _data(self) -> dict[str, Any]:
        return {"cleans": self.cleans, "segmenter": self.inner.to_json()}

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        inner = cls.from_any_json(data["segmenter"], "its segmentation")
        return cls(cls.complete(settings), language, bool(data["cleans"]), inner)


def _cleans(settings: dict[str, Any], side: int) -> bool:
    """Whether a side is cleaned; the source is side 0."""
    return settings["sides"] == "both" or side == 0


def _clean_counts(counts: dict[str, int], settings: dict[str, bool]) -> dict[str, int]:
    """The counts of the cleaned words, without the literals."""
    cleaned: Counter[str] = Counter()
    for word, count in counts.items():
        cleaned[clean_word(word, settings)] += count
    for literal in literals(settings):
        del cleaned[literal]
    return cleaned
