"""A commented configuration for a new parallel text: sizes in proportion to the text, a network for a first try."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from string import Template

from rarewords.corpus.scripts import LATIN, usual_scripts
from rarewords.schema import default
from rarewords.text.chain import Preprocessing
from rarewords.text.files import PathLike, read_parallel, split_words

SAMPLE = 50_000  # sentences to tokenise for counting words


@dataclass(frozen=True)
class Size:
    """Of a training text, or of the first 50,000 pairs of it.

    Word types of both sides, different characters of the side that has more, and a length in tokens that nine in ten
    pairs do not exceed on either side.
    """

    sampled: int
    types: tuple[int, int]
    characters: int
    usual_length: int


def measure(source: PathLike, target: PathLike, languages: Sequence[str]) -> Size:
    """Tokenise the beginning of a training text and count."""
    words: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    lengths = []
    for pair in islice(read_parallel(source, target), SAMPLE):
        tokens = [
            split_words(Preprocessing(language).tokens(line)) for line, language in zip(pair, languages, strict=True)
        ]
        lengths.append(max(map(len, tokens)))
        for counts, found in zip(words, tokens, strict=True):
            counts.update(found)
    usual = sorted(lengths)[len(lengths) * 9 // 10]
    characters = max(len(set("".join(counts))) for counts in words)
    return Size(len(lengths), (len(words[0]), len(words[1])), characters, usual)


def configuration(name: str, languages: Sequence[str], file: str, folder: str, size: Size) -> str:
    """The text of a configuration file `file` for the texts `{folder}/{train,dev,test}.{lang}`."""
    template = files("rarewords.experiment").joinpath("own_text.yaml").read_text(encoding="utf-8")
    most, (source, target) = max(size.types), size.types
    maximum = min(80, max(20, -(-size.usual_length // 10) * 10))
    merges = rounded(0.4 * most, 500, 59_500)
    target_words = rounded(0.7 * target, 500, 500_000)
    rare_rank = max(50, target_words // 10)  # as in the paper: 50,000 of 500,000
    joint = _joint(languages, rounded(0.5 * most, 500, 89_500), size.characters)
    values = {
        "name": json.dumps(name),
        "pair": "-".join(languages),
        "file": file,
        "others": "dictionary, bigrams" + (", subwords-joint" if joint else ""),
        "rare_rank": rare_rank,
        "maximum": maximum,
        "max_length": maximum * 4,
        "sampled": f"{size.sampled:,}",
        "source_types": f"{source:,}",
        "target_types": f"{target:,}",
        "source_words": rounded(0.7 * source, 500, 300_000),
        "target_words": target_words,
        "shortlist": rare_rank,
        "bigrams": rounded(0.4 * most, 500, 60_000),
        "merges": merges,
        "units": merges + rounded(2 * size.characters, 100, 10_000),
        "joint": joint,
        "beam": default("decoding.beam"),
    }
    paths = {split: json.dumps(f"{folder}/{split}.{{lang}}", ensure_ascii=False) for split in ("train", "dev", "test")}
    return Template(template).substitute(values | paths)


def rounded(number: float, least: int, most: int) -> int:
    """A number within limits, rounded to two significant digits."""
    scale = 10 ** max(0, len(str(int(number))) - 2)
    return int(min(most, max(least, round(number / scale) * scale)))


def _joint(languages: Sequence[str], merges: int, characters: int) -> str:
    """The system with joint byte pair encoding, where the two scripts allow one."""
    scripts = [usual_scripts(language) for language in languages]
    if scripts[0] & scripts[1]:
        method, remark = "bpe-joint", "Byte pair encoding of both languages together."
    elif languages.count("ru") == 1 and any(LATIN in found for found in scripts):
        method, remark = "bpe-joint-iso9", "Byte pair encoding of both languages together, Russian in Latin letters."
    else:
        return ""
    units = merges + rounded(4 * characters, 100, 10_000)
    return (
        f"\n  # {remark}\n"
        f"  subwords-joint:\n"
        f"    label: BPE-J{merges}\n"
        f"    segmentation: {{method: {method}, merges: {merges}}}\n"
        f"    vocabulary: {{source: {units}, target: {units}}}\n"
    )
