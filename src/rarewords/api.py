"""Segmentation for other programs, from texts instead of files; `rarewords` exports these functions (docs/api.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rarewords.corpus.importing import count_words
from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.protocol import Segmenter
from rarewords.text.files import PathLike


def fit_segmenters(
    method: str, texts: Mapping[str, Iterable[str] | Mapping[str, int]], **settings: Any
) -> dict[str, Segmenter]:
    """Learn a segmentation; returns a segmenter for each language of `texts`.

    `texts` maps language codes to a training text, its lines (words separated by spaces) or its word counts in order of
    first occurrence; one language is enough. The first is the source for methods that tell the sides apart. Joint
    methods learn on all texts together. `method` and `settings` are those of `rarewords segment --help`. Raises
    InputError for an unknown method, wrong settings, unsuitable languages and a text without words.
    """
    counts = {language: _counts(language, text) for language, text in texts.items()}
    if not counts:
        raise InputError('fitting a segmentation needs a text: give {"de": lines}.')
    registry.find(method).check_languages(list(counts))
    segmenters = registry.create(method, settings, list(counts.values()), list(counts))
    return dict(zip(counts, segmenters, strict=True))


def load_segmenter(path: PathLike) -> Segmenter:
    """Read a segmenter of any method, as `Segmenter.save` and `rarewords segment fit` write it (one JSON file).

    Raises InputError for any other file.
    """
    return registry.load(path)


def _counts(language: str, text: Iterable[str] | Mapping[str, int]) -> dict[str, int]:
    if isinstance(text, str):
        raise InputError(f"the text for {language!r} is one string; give its lines, such as text.splitlines().")
    counts = dict(text) if isinstance(text, Mapping) else count_words(line.rstrip("\r\n") for line in text)
    if not counts:
        raise InputError(f"the text for {language!r} has no words; give the training text.")
    return counts
