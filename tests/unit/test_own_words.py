"""Tokens beside the words of running text, by hand."""

from __future__ import annotations

import pytest

from rarewords.bundle.own_words import words_of_tokens


@pytest.mark.parametrize(
    ("tokens", "text", "expected"),
    [
        ("the house , he said .", "The house, he said.", [[0], [1], [1], [2], [3], [3]]),
        # escapes, quotation marks that were normalised, an ellipsis, a hyphen that was split
        ("&quot; R &amp; D &quot; is ...", "“R&D”  is…", [[0], [0], [0], [0], [0], [1], [1]]),
        ("well @-@ known", "a well-known", [[1], [1], [1]]),
        # what a clean-up or the network put in the place of other words
        ("see <URL> now", "see https://example.org/a?b=1 now", [[0], [1], [2]]),
        ("Haus UNK grün", "Haus UNK grün", [[0], [1], [2]]),
        # the same word twice is not the same place
        ("der Mann und der Hund", "Der Mann und der Hund", [[0], [1], [2], [3], [4]]),
        ("ab", "a b", [[0, 1]]),  # one token of two words
        ("x", "", [[]]),
        ("", "a b", []),
        ("a !", "a", [[0], [0]]),  # nothing stands in its place: beside the last word
    ],
)
def test_words_of_tokens(tokens: str, text: str, expected: list[list[int]]) -> None:
    assert words_of_tokens(tokens.split(), text) == expected
