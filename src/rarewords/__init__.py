"""Neural Machine Translation of Rare Words with Subword Units, as software that people run.

What other programs may rely on are the names in `__all__`; docs/api.md shows how to use them. Each is imported when it
is used, so that segmentation and scoring do not need torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewords.api import fit_segmenters as fit_segmenters
    from rarewords.api import load_segmenter as load_segmenter
    from rarewords.bundle.translator import Translation as Translation
    from rarewords.bundle.translator import Translator as Translator
    from rarewords.corpus.importing import count_words as count_words
    from rarewords.errors import InputError as InputError
    from rarewords.evaluation.metrics import bleu as bleu
    from rarewords.evaluation.metrics import chrf2 as chrf2
    from rarewords.evaluation.metrics import chrf3 as chrf3
    from rarewords.evaluation.unigram_f1 import unigram_f1 as unigram_f1
    from rarewords.segmentation.protocol import Segmenter as Segmenter

__version__ = "0.1.0"

# name -> the module that defines it
_PUBLIC = {
    "InputError": "errors",
    "Segmenter": "segmentation.protocol",
    "Translation": "bundle.translator",
    "Translator": "bundle.translator",
    "bleu": "evaluation.metrics",
    "chrf2": "evaluation.metrics",
    "chrf3": "evaluation.metrics",
    "count_words": "corpus.importing",
    "fit_segmenters": "api",
    "load_segmenter": "api",
    "unigram_f1": "evaluation.unigram_f1",
}

__all__ = [
    "InputError",
    "Segmenter",
    "Translation",
    "Translator",
    "__version__",
    "bleu",
    "chrf2",
    "chrf3",
    "count_words",
    "fit_segmenters",
    "load_segmenter",
    "unigram_f1",
]


def __getattr__(name: str) -> Any:
    """A public name, imported on first use; raises ImportError that names the extra if one is missing."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(importlib.import_module(f"rarewords.{_PUBLIC[name]}"), name)
    except ModuleNotFoundError as error:
        from rarewords.extras import missing_extra

        if (sentence := missing_extra(error)) is None:
            raise
        raise ModuleNotFoundError(f"rarewords.{name}: {sentence}", name=error.name) from error


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
