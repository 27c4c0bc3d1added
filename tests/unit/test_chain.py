"""The one chain from raw text to units and back: its steps, and which of them can be left out."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rarewords.errors import InputError
from rarewords.text.chain import Chain, Preprocessing
from rarewords.text.truecasing import TruecaseModel

MODEL = TruecaseModel({"the": 3, "The": 1, "house": 2, "House": 1})


class Letters:
    """A segmenter into letters, words apart by `_`."""

    def segment_text(self, text: str) -> str:
        return " ".join(text.replace(" ", "_"))

    def restore(self, units: Iterable[str]) -> list[str]:
        return "".join(units).split("_")


def test_all_steps_and_back() -> None:
    chain = Chain(Preprocessing("en"), MODEL, Letters())
    words = chain.words("The “house”.")
    assert words == ["the", "&quot;", "house", ".", "&quot;"]
    units = chain.units(words)
    assert units[:5] == ["t", "h", "e", "_", "&"]
    assert chain.restore(units) == words
    assert chain.text(words) == 'The "house."'


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (Preprocessing("en", normalise=False), ["the", "“", "well-made", "”", "(", "House", ")"]),
        (Preprocessing("en", aggressive=True), ["the", "&quot;", "well", "@-@", "made", "&quot;", "(", "House"]),
        (Preprocessing("en", escape=False), ["the", '"', "well-made", '"', "(", "House", ")"]),
        (Preprocessing("en", truecase=False), ["The", "&quot;", "well-made", "&quot;", "(", "House", ")"]),
        (Preprocessing("en", tokenise=False), ["the", '"well-made"', "(House)"]),
        (Preprocessing("en", normalise=False, tokenise=False, truecase=False), ["The", "“well-made”", "(House)"]),
    ],
)
def test_steps_can_be_left_out(steps: Preprocessing, words: list[str]) -> None:
    line = "The “well-made” (House)"
    chain = Chain(steps, MODEL)
    assert chain.words(line)[: len(words)] == words
    assert chain.text(chain.words("The house (old)")) == "The house (old)"


def test_a_raw_line_stays_byte_for_byte() -> None:
    raw = Preprocessing("en", normalise=False, tokenise=False, truecase=False)
    line = "  two  spaces\t& &amp; <unk> ’ \u200d "
    assert raw.truecased(raw.tokens(line), MODEL) == raw.tokens(line)
    assert raw.text(raw.tokens(line)) == line


def test_unescaped_entities_are_text() -> None:
    steps = Preprocessing("en", escape=False)
    assert steps.text(steps.tokens("write &amp; or &lt;")) == "Write &amp; or &lt;"


def test_a_chain_without_segmenter_ends_at_words() -> None:
    with pytest.raises(InputError, match="no segmenter"):
        Chain(Preprocessing("en")).units(["a"])
