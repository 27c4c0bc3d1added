"""The chains of both sides of a bundle, by the steps of the workflow (docs/reproduction/preprocessing.md)."""

from __future__ import annotations

from rarewords.bundle import contents
from rarewords.bundle.contents import Bundle, Settings
from rarewords.errors import InputError
from rarewords.segmentation.bpe.segmenter import BpeSegmenter
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.registry import load
from rarewords.text.chain import Chain, Preprocessing
from rarewords.text.truecasing import TruecaseModel
from rarewords.vocabulary import Vocabulary


def source_chain(bundle: Bundle, vocabulary: Vocabulary) -> Chain:
    """From raw source text to units; `vocabulary` limits the segmentation of a system with `fallback`."""
    steps = _steps(bundle.settings, bundle.settings.source_language)
    truecaser = None
    if bundle.settings.truecase:
        truecaser = TruecaseModel.load(bundle.folder / contents.TRUECASER, bundle.settings.source_language)
    return Chain(steps, truecaser, _restricted(bundle, load(bundle.folder / contents.SOURCE_SEGMENTER), vocabulary))


def target_chain(bundle: Bundle) -> Chain:
    """From target units to running text; raises InputError for a segmentation that cannot be undone."""
    segmenter = load(bundle.folder / contents.TARGET_SEGMENTER)
    if not segmenter.offers.restorable:
        raise InputError(f"{bundle.folder}: the segmentation {segmenter.method} of the target side cannot be undone.")
    return Chain(_steps(bundle.settings, bundle.settings.target_language), segmenter=segmenter)


def _steps(settings: Settings, language: str) -> Preprocessing:
    """The steps of a language; the source text alone is cleaned up, and the target text is only written."""
    return Preprocessing(
        language,
        settings.normalise,
        settings.tokenise,
        settings.aggressive,
        settings.escape,
        settings.truecase,
        tuple(settings.clean),
    )


def _restricted(bundle: Bundle, segmenter: Segmenter, vocabulary: Vocabulary) -> Segmenter:
    if not bundle.settings.fallback:
        return segmenter
    if not isinstance(segmenter, BpeSegmenter):
        raise InputError(f"{bundle.folder}: fallback needs byte pair encoding, but the method is {segmenter.method}.")
    return segmenter.restricted_to(frozenset(vocabulary.units))
