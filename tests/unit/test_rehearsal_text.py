"""The text of the rehearsal has as many words as the paper's vocabularies hold."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import pytest

PATH = Path(__file__).parents[2] / "bench/rehearsal_text.py"


@pytest.mark.parametrize(("language", "side", "wanted"), [("en", 0, 300_000), ("de", 1, 500_000), ("ru", 1, 500_000)])
def test_there_are_enough_words(language: str, side: int, wanted: int) -> None:
    spec = importlib.util.spec_from_file_location("rehearsal_text", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    chance = random.Random(1)
    words = {module.made_up(language, chance) for _ in range(module.MADE_UP * module.WORDS[side])}
    assert len(words) > wanted
