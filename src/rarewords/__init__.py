"""Neural Machine Translation of Rare Words with Subword Units, as software that people run.

from rarewords import Translator
Translator.load("bundle").translate(["A sentence.", "Another one."])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewords.bundle.translator import Translator as Translator

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`Translator`, imported when it is asked for, so that everything else does without torch."""
    if name == "Translator":
        from rarewords.bundle.translator import Translator

        return Translator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
