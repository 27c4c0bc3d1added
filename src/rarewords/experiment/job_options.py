"""Options that name the files of a job, for the rules; options that say settings are those of `Steps`."""

from __future__ import annotations

import os
from collections.abc import Sequence


def development_options(files: Sequence[str]) -> list[str]:
    """The development text of a training run: both sides and, for BLEU, the target segmenter; or none."""
    return [f"--dev-{name}={path}" for name, path in zip(("source", "target", "segmenter"), files, strict=False)]


def lexicon_options(lexicon: Sequence[str] | str) -> list[str]:
    """The translations of a system's source units, if there are any."""
    return [f"--lexicon={lexicon}"] if lexicon else []


def member_options(choice: Sequence[str] | str, members: Sequence[str]) -> list[str]:
    """The models of a search: that of a choice, or the folders of the members whose files are given."""
    if choice:
        return [f"--choice={choice}"]
    return [f"--member={os.path.dirname(path)}" for path in members if path.endswith(".json")]


def unigram_options(words: str, reference_words: str, counts: str) -> list[str]:
    """What unigram F1 is computed from."""
    return [
        f"--tokenised-hypothesis={words}",
        f"--tokenised-reference={reference_words}",
        f"--train-counts={counts}",
    ]
