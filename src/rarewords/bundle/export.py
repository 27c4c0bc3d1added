"""Write a bundle: collect the files, try them out, and put the folder in place when it is complete."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rarewords.bundle import contents
from rarewords.bundle.card import CARD, card
from rarewords.bundle.contents import DESCRIPTION, Settings, describe, member_name
from rarewords.bundle.translator import Translator
from rarewords.errors import InputError, named_for_user
from rarewords.evaluation.files import read_scores
from rarewords.evaluation.registry import TEXT_METRICS
from rarewords.text.documents import parse_yaml, read_json, write_json
from rarewords.text.files import PathLike, read_lines, write_lines
from rarewords.text.identity import identity

# What is kept of a score file; the rest is about its input files, or long.
KEPT_SCORES = ("sentences", *TEXT_METRICS)


@dataclass(frozen=True)
class Sources:
    """The files that a bundle is made from. `scores` maps a name to a file of `rarewords score`."""

    members: Sequence[PathLike]
    source_segmenter: PathLike
    target_segmenter: PathLike
    truecaser: PathLike | None
    lexicon: PathLike | None = None
    config: PathLike | None = None
    scores: Mapping[str, PathLike] = field(default_factory=dict)

    def texts(self) -> dict[str, PathLike]:
        """The text files by their names in the bundle."""
        named = {
            contents.SOURCE_SEGMENTER: self.source_segmenter,
            contents.TARGET_SEGMENTER: self.target_segmenter,
            contents.TRUECASER: self.truecaser,
            contents.LEXICON: self.lexicon,
            contents.CONFIG: self.config,
        }
        return {name: path for name, path in named.items() if path is not None}


def write_bundle(folder: PathLike, sources: Sources, settings: Settings) -> int:
    """Write a bundle and return its size in bytes; an earlier bundle of this name is replaced.

    The new bundle is read and tried out before it appears. Raises InputError, without changing anything, if a source is
    wrong or if `folder` exists and is not a bundle.
    """
    if settings.needs_lexicon() and sources.lexicon is None:
        raise InputError("The bundle looks words up in a lexicon: give --lexicon, the file of `rarewords align`.")
    scores = {name: _scores(path) for name, path in sources.scores.items()}
    with _replaced_folder(folder) as new, named_for_user(_names(folder, new, sources)):
        for number, member in enumerate(sources.members, 1):
            for name in contents.MEMBER_FILES:
                _copy(Path(member) / name, new / member_name(number) / name)
        for name, path in sources.texts().items():
            _copy(Path(path), new / name)
        config = (
            None if sources.config is None else parse_yaml("\n".join(read_lines(sources.config)), str(sources.config))
        )
        text = card(settings, len(sources.members), scores, config, time.strftime("%Y-%m-%d"))
        write_lines(new / CARD, text.splitlines())
        paths = sorted(path for path in new.rglob("*") if path.is_file())
        files = {path.relative_to(new).as_posix(): identity(path) for path in paths}
        write_json(new / DESCRIPTION, describe(settings, len(sources.members), scores, files), levels=0)
        Translator.load(new, device="cpu").translate(["A."])
    return sum(entry["bytes"] for entry in files.values())


def _names(folder: PathLike, new: Path, sources: Sources) -> dict[str, str]:
    """The user's paths by those in the new folder, for messages: a copy that is wrong was wrong before."""
    members = {member_name(number): member for number, member in enumerate(sources.members, 1)}
    copied = {str(new / name): str(path) for name, path in (members | sources.texts()).items()}
    return copied | {str(new): str(folder)}


def _scores(path: PathLike) -> dict[str, Any]:
    """The scores of a file of `rarewords score`, without unigram F1 by frequency and without paths."""
    scores = read_scores(path)
    kept = {key: scores[key] for key in KEPT_SCORES if key in scores}
    unigram = scores["unigram_f1"]
    return kept | ({"unigram_f1": unigram["classes"], "rare_rank": unigram["rare_rank"]} if unigram else {})


@contextlib.contextmanager
def _replaced_folder(folder: PathLike) -> Iterator[Path]:
    """An empty folder that takes the place of `folder` when the block ends without an error."""
    final = Path(os.path.realpath(folder))
    _check_replaceable(final)
    new = final.with_name(f".{final.name}.{os.getpid()}.new")
    old = final.with_name(f".{final.name}.{os.getpid()}.old")
    try:
        new.mkdir(parents=True)
        yield new
        if final.exists():
            os.rename(final, old)
        os.rename(new, final)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror or error}).") from error
    finally:
        if old.exists() and not final.exists():
            os.rename(old, final)
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _check_replaceable(folder: Path) -> None:
    """Raise InputError if something other than an empty folder or a bundle exists there."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        contents.read_bundle(folder)
    except InputError:
        raise InputError(
            f"{folder} exists and is not a bundle of this version, so it stays; name another folder, or remove it."
        ) from None


def _copy(source: Path, target: Path) -> None:
    """Copy a file of an experiment, JSON without its place there."""
    target.parent.mkdir(exist_ok=True)
    if target.suffix == ".json":
        write_json(target, read_json(source), levels=0)
        return
    if target.suffix != ".safetensors":
        write_lines(target, read_lines(source))
        return
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise InputError(f"{source}: cannot be copied ({error.strerror or error}).") from error
