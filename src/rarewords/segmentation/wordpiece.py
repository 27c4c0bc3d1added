"""WordPiece: a vocabulary in which parts inside a word start with `##`, and greedy longest match first.

Settings: `vocabulary`, pieces; `trainer` of the vocabulary: "sentencepiece" (default), a unigram model of that library
turned into this form, or "tokenizers", the trainer of that library, which merges pairs; `joint`, true for one
vocabulary of all sides (default false).

Units are marked as in the vocabulary, not with the joiner: `play ##ing`, undone by deleting ` ##`. A word that no
pieces cover is one unit, which is not in the vocabulary.
See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, Self

from rarewords.errors import InputError
from rarewords.segmentation import joiner
from rarewords.segmentation import settings as checks
from rarewords.segmentation.joiner import CONTINUATION
from rarewords.segmentation.method import Progress
from rarewords.segmentation.protocol import Segmenter
from rarewords.segmentation.sentencepiece_model import SPACE, pieces, train_model
from rarewords.segmentation.sides import learn_sides

TRAINERS = ("sentencepiece", "tokenizers")


class WordPieceSegmenter(Segmenter):
    """From the left, the longest piece of the vocabulary that fits; all of the word must be covered."""

    method = "wordpiece"

    def __init__(self, settings: dict[str, Any], language: str, vocabulary: list[str]) -> None:
        super().__init__(settings, language)
        self.vocabulary = vocabulary
        self._known = frozenset(vocabulary)
        self._longest = max(map(len, vocabulary), default=0)

    @classmethod
    def _learn(
        cls, settings: dict[str, Any], counts: list[dict[str, int]], progress: Progress | None
    ) -> list[list[str]]:
        """Learn a vocabulary for each side, or with `joint` one for all."""
        learn = {"sentencepiece": _by_sentencepiece, "tokenizers": _by_tokenizers}[settings["trainer"]]
        return learn_sides(lambda side: learn(side, settings["vocabulary"]), counts, settings["joint"])

    @classmethod
    def complete(cls, settings: dict[str, Any]) -> dict[str, Any]:
        """See `Segmenter.complete`."""
        complete = checks.complete(cls.method, settings, ["vocabulary"], {"trainer": "sentencepiece", "joint": False})
        checks.check_integer(cls.method, complete, "vocabulary", 1)
        checks.check_choice(cls.method, complete, "trainer", TRAINERS)
        checks.check_boolean(cls.method, complete, "joint")
        return complete

    def restore(self, units: Iterable[str]) -> list[str]:
        """The words of a list of units; a first unit with `##`, which a network may make, starts a word."""
        return joiner.join_continuations(units)

    def summary(self) -> str:
        asked = self.settings["vocabulary"]
        few = f" of {asked}" if len(self.vocabulary) < asked else ""
        return f"{len(self.vocabulary)}{few} pieces"

    def _cut(self, word: str) -> list[str]:
        parts = []
        start = 0
        while start < len(word):
            end = self._longest_match(word, start)
            if end == start:
                return [word]
            parts.append(word[start:end])
            start = end
        return parts

    def _longest_match(self, word: str, start: int) -> int:
        """Where the longest piece that fits at `start` ends; `start` if there is none."""
        mark = CONTINUATION if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            if mark + word[start:end] in self._known:
                return end
        return start

    def _text(self, word: str) -> str:
        return joiner.mark_continuations(self._cut(word)) if word else ""

    def _data(self) -> list[str]:
        return self.vocabulary

    @classmethod
    def _from_data(cls, settings: dict[str, Any], language: str, data: Any) -> Self:
        return cls(cls.complete(settings), language, [str(piece) for piece in data])


def _by_sentencepiece(counts: dict[str, int], size: int) -> list[str]:
    """The pieces of a unigram model of one piece more, the unknown one: `▁play` is `play`, `ing` is `##ing`.

    The mark alone is dropped: no word starts with nothing. A model may know the first character of a word inside words
    only; it is added, so that all words of the text are covered. The least probable longer pieces make room for it.
    """
    words = [word for word in counts if word and "\t" not in word]  # see train_model
    characters, first = set("".join(words)), {word[0] for word in words}
    _check_size(size, len(characters) + len(first))
    model = train_model(WordPieceSegmenter.method, counts, size + 1, "unigram", coverage=1.0, mark_ends=False)
    found = [
        piece.removeprefix(SPACE) if piece.startswith(SPACE) else CONTINUATION + piece
        for piece in pieces(model)
        if piece != SPACE
    ]
    missing = sorted(first - set(found))
    longer = [piece for piece in found if len(piece.removeprefix(CONTINUATION)) > 1]
    surplus = max(0, len(found) + len(missing) - size)
    removed = frozenset(longer[max(0, len(longer) - surplus) :])
    return [piece for piece in found if piece not in removed] + missing


def _by_tokenizers(counts: dict[str, int], size: int) -> list[str]:
    """The vocabulary that the trainer of the library `tokenizers` finds, by number.

    It numbers the characters inside words by chance, and of equally frequent pairs merges the one of lower number.
    Given as special tokens, they have fixed numbers, and so the same vocabulary comes out each time.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.trainers import WordPieceTrainer

    inside = sorted({character for word in counts for character in word[1:]})
    _check_size(size, len(set("".join(counts))) + len(inside))
    trainer = WordPieceTrainer(
        vocab_size=size,
        show_progress=False,
        special_tokens=[CONTINUATION + character for character in inside],
        continuing_subword_prefix=CONTINUATION,
    )
    tokenizer = Tokenizer(WordPiece(unk_token=""))
    tokenizer.train_from_iterator((word for entry in counts.items() for word in repeat(*entry)), trainer)
    numbers = tokenizer.get_vocab()
    return sorted(numbers, key=numbers.__getitem__)


def _check_size(asked: int, least: int) -> None:
    """Raise InputError unless the pieces of one character, which a trainer always keeps, fit into the vocabulary."""
    if not least:
        raise InputError("segmentation wordpiece: there are no words to learn pieces from; give a text with words.")
    if asked < least:
        raise InputError(
            f"segmentation wordpiece: the setting 'vocabulary' is {asked}, but the characters at the start of "
            f"words and inside them are {least} pieces; give {least} or more."
        )
