"""Whether joint merges cut a name alike on both sides, which is their purpose in the paper (sections 3.2, 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import comb

from rarewords.evaluation.significance import p_text
from rarewords.report.pattern import OPEN, Statement, verdict_of
from rarewords.segmentation.iso9 import to_latin
from rarewords.text.files import split_words

CLAIM = "Names that are the same on both sides: joint merges cut more of them alike than separate merges."
PAPER = "By examples: Mirzayeva is Mirz|ayeva and Мир|за|ева with BPE-60k, Mir|za|yeva and Мир|за|ева with BPE-J90k."
IN_PAPER = "holds"


def common_names(source: Iterable[str], target: Iterable[str]) -> list[str]:
    """Capitalised source words that are also in the sentence's reference, or are the image by ISO 9 of a word there."""
    names: dict[str, None] = {}
    for left, right in zip(source, target, strict=True):
        images = {to_latin(word) for word in split_words(right)}
        names |= {word: None for word in split_words(left) if word[:1].isupper() and len(word) > 1 and word in images}
    return list(names)


def consistency_statement(
    separate: Mapping[str, bool], joint: Mapping[str, bool], labels: tuple[str, str]
) -> Statement:
    """The claim about names, by an exact McNemar test on the names that only one of the two systems cuts alike."""
    names = separate.keys() & joint.keys()
    if not names:
        return Statement(CLAIM, OPEN, "The test set has no name that is the same on both sides.", IN_PAPER, PAPER)
    counts = [sum(alike[name] for name in names) for alike in (separate, joint)]
    only_joint = sum(joint[name] and not separate[name] for name in names)
    only_separate = sum(separate[name] and not joint[name] for name in names)
    p = sign_test(only_joint, only_separate)
    shares = [100 * count / len(names) for count in counts]
    ours = (
        f"Of {len(names):,} name{'s' if len(names) > 1 else ''} {labels[1]} cuts {counts[1]:,} alike "
        f"({shares[1]:.1f} %), {labels[0]} {counts[0]:,} ({shares[0]:.1f} %): {shares[1] - shares[0]:+.1f} "
        f"({p_text(p)})."
    )
    return Statement(CLAIM, verdict_of(only_joint - only_separate, p), ours, IN_PAPER, PAPER, p)


def sign_test(first: int, second: int) -> float:
    """The two-sided exact binomial p of numbers this unequal if both were equally likely."""
    total, least = first + second, min(first, second)
    if first == second:
        return 1.0
    return min(1.0, 2 * sum(comb(total, k) for k in range(least + 1)) / 2**total)
