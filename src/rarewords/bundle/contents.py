"""What a bundle's `bundle.json` says, and where the files of a bundle lie.

bundle.json                         settings, scores, size and SHA-256 of every file
member{n}/                          model.safetensors, model.json
source-segmenter.json, target-segmenter.json
source-truecaser.txt                for a system that reads truecased text
lexicon.tsv                         if unknown words are replaced or candidate lists used
README.md                           for people: languages, training text, scores, use, limits
config.yaml                         of the experiment from which it comes, if any
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.schema import key_rules
from rarewords.settings import CandidateSettings, DecodingSettings
from rarewords.text.clean_up import SETTINGS as CLEAN_UP
from rarewords.text.documents import Kind, read_json
from rarewords.text.files import PathLike
from rarewords.text.identity import IDENTITY, identity
from rarewords.text.shapes import anything, flag, list_of, map_of, number, one_of, optional, record, text, whole

FORMAT = 1
DESCRIPTION = "bundle.json"
SOURCE_SEGMENTER = "source-segmenter.json"
TARGET_SEGMENTER = "target-segmenter.json"
TRUECASER = "source-truecaser.txt"
LEXICON = "lexicon.tsv"
CONFIG = "config.yaml"
MOST_MEMBERS = 1000
MOST_HYPOTHESES: int = key_rules("decoding.beam")["maximum"]  # of a sentence
_LABEL = text(r"[^\x00-\x1f\x7f-\x9f]+", 1000)
_LANGUAGE = text("[A-Za-z]{2,3}([-_][A-Za-z]{2,8})*")
KIND = Kind(
    "a bundle of this version of rarewords",
    record(
        {
            "format": one_of(FORMAT),
            "rarewords": text(),
            "settings": record(
                {"label": _LABEL, "source_language": _LANGUAGE, "target_language": _LANGUAGE},
                {
                    "normalise": flag,
                    "aggressive": flag,
                    "tokenise": flag,
                    "escape": flag,
                    "truecase": flag,
                    "clean": list_of(one_of(*CLEAN_UP)),
                    "fallback": flag,
                    "beam": whole(1, MOST_HYPOTHESES),
                    "ignore_unknown": flag,
                    "length_exponent": number(0, 10),
                    "candidates": optional(
                        record({"common": whole(3), "per_word": whole(0), "block": optional(whole(1))})
                    ),
                    "unknown_words": optional(text("[a-z-]+")),
                },
            ),
            "members": whole(1, MOST_MEMBERS),
            "scores": map_of(anything()),
            "files": map_of(IDENTITY, 10_000),
        },
    ),
    "copy or export the bundle again",
)
MEMBER_FILES = ("model.json", "model.safetensors")


@dataclass(frozen=True)
class Settings(DecodingSettings):
    """How raw text becomes units and units become raw text; the names are those of config/README.md.

    `unknown_words` is None where they stay.
    """

    label: str
    source_language: str
    target_language: str
    normalise: bool = True
    aggressive: bool = False
    tokenise: bool = True
    escape: bool = True
    truecase: bool = True
    clean: list[str] = field(default_factory=list)
    fallback: bool = False
    unknown_words: str | None = None

    def needs_lexicon(self) -> bool:
        """Whether candidate lists or replaced unknown words look something up."""
        return self.candidates is not None or self.unknown_words not in (None, "copy")


@dataclass(frozen=True)
class Bundle:
    """A bundle on disk.

    `files` maps the name of a file to its `bytes` and `sha256`, `scores` the name of a score file to its scores.
    """

    folder: Path
    settings: Settings
    members: int
    scores: dict[str, Any]
    files: dict[str, dict[str, Any]]

    def member(self, number: int) -> Path:
        """The folder of a member; they count from 1. Raises InputError for a number that the bundle does not have."""
        if not 1 <= number <= self.members:
            raise InputError(
                f"{self.folder} has members 1 to {self.members}, but not member {number}; name one of these."
            )
        return self.folder / member_name(number)

    def check(self, members: list[int]) -> None:
        """Compare size and SHA-256 of the files that these members need.

        Raises InputError for the first that differs.
        """
        others = [member_name(number) + "/" for number in range(1, self.members + 1) if number not in members]
        for name, expected in self.files.items():
            if not name.startswith(tuple(others)):
                _check_file(self.folder / name, expected)


def member_name(number: int) -> str:
    """The folder of a member in its bundle."""
    return f"member{number}"


def describe(
    settings: Settings, members: int, scores: dict[str, Any], files: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """The content of `bundle.json`."""
    head = {"format": FORMAT, "rarewords": __version__, "settings": asdict(settings), "members": members}
    return head | {"scores": scores, "files": files}


def read_bundle(folder: PathLike) -> Bundle:
    """Read `bundle.json`; raises InputError for a folder that is not a bundle of this version."""
    folder = Path(folder)
    if not (folder / DESCRIPTION).is_file():
        raise InputError(f"{folder} is not a bundle (it has no {DESCRIPTION}); write one with `rarewords export`.")
    description = read_json(folder / DESCRIPTION, KIND)
    settings, files = _settings(description["settings"]), description["files"]
    bundle = Bundle(folder, settings, description["members"], description["scores"], files)
    outside = next((name for name in files if not _is_inside(name)), None)
    if outside is not None:
        raise InputError(f"{folder / DESCRIPTION}: {outside} lies outside the bundle; copy or export the bundle again.")
    if 2 * bundle.members > len(files):  # before a list as long as the number says is made
        raise InputError(
            f"{folder / DESCRIPTION}: {bundle.members} members in {len(files)} files; copy or export the bundle again."
        )
    needed = [f"{member_name(n)}/{file}" for n in range(1, bundle.members + 1) for file in MEMBER_FILES]
    needed += [
        SOURCE_SEGMENTER,
        TARGET_SEGMENTER,
        *([TRUECASER] if bundle.settings.truecase else []),
        *([LEXICON] if bundle.settings.needs_lexicon() else []),
    ]
    missing = [name for name in needed if name not in bundle.files]
    if missing:
        raise InputError(f"{folder / DESCRIPTION} does not list {missing[0]}; copy or export the bundle again.")
    return bundle


def _settings(values: dict[str, Any]) -> Settings:
    lists = values.get("candidates")
    return Settings(**values | {"candidates": None if lists is None else CandidateSettings(**lists)})


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


def _check_file(path: Path, expected: dict[str, Any]) -> None:
    if not path.is_file():
        raise InputError(f"{path} is missing; copy or export the bundle again.")
    if identity(path) != expected:
        raise InputError(f"{path} is not the file that the bundle was made with; copy or export the bundle again.")
