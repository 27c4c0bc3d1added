"""Every kind of file that the pipeline writes and reads again: how one is made, and how it is read.

A maker gets a folder and a number; files of different numbers are different and can take each other's place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rarewords.alignment.lexicon import Lexicon
from rarewords.alignment.links import format_links, read_links
from rarewords.corpus.importing import read_counts
from rarewords.evaluation.files import read_choice, read_scores, read_significance
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.report import formats
from rarewords.report.table import Column, Table, read_table, write_table
from rarewords.saved_model import SavedModel, load_model, save_model
from rarewords.segmentation import registry
from rarewords.text.documents import write_json
from rarewords.text.files import read_lines, write_lines
from rarewords.text.truecasing import TruecaseModel, train_truecaser
from rarewords.training.checkpoint import CheckpointFolder, State, save_state
from rarewords.training.encoded import encode_pairs, load_pairs, load_vocabularies
from rarewords.training.metrics import append_report, read_reports
from rarewords.vocabulary import Vocabulary

SIZE = NetworkSize(5, 4, embedding=4, hidden=6)
VOCABULARIES = Vocabulary({"a@@": 9, "b": 5, "c": 2}), Vocabulary({"x": 8, "y": 3})


@dataclass(frozen=True)
class Kind:
    """`make(folder, number)` writes files, `read(folder)` gives what they say; `file` is the one to damage."""

    file: str
    make: Callable[[Path, int], None]
    read: Callable[[Path], Any]


def _lines(number: int) -> list[str]:
    return [f"line {k} of the text number {number}" for k in range(9)]


def _member(folder: Path, number: int) -> None:
    training = {"updates": 40 + number, "fingerprint": {"seed": number}}
    save_model(folder, SavedModel(initial_parameters(SIZE, number), SIZE, *VOCABULARIES, training))


def _read_member(folder: Path) -> Any:
    model = load_model(folder)
    weights = {name: value.tolist() for name, value in model.parameters.items()}
    return weights, model.training, model.source_vocabulary.counts, model.target_vocabulary.counts


def _pairs(folder: Path, number: int) -> None:
    for name, words in (("source", "a@@ b c"), ("target", "x y x")):
        turned = words.split()[number % 3 :] + words.split()[: number % 3]
        write_lines(folder / name, [" ".join(turned[: k % 3 + 1]) for k in range(12)])
    for name, vocabulary in zip(("v1", "v2"), VOCABULARIES, strict=True):
        vocabulary.save(folder / name)
    encode_pairs(*(folder / name for name in ("source", "target", "v1", "v2")), folder)


def _read_pairs(folder: Path) -> Any:
    corpus = load_pairs(folder, maximum=9)
    pairs = [[side.tolist() for side in corpus.pair(int(k))] for k in corpus.kept]
    return pairs, corpus.copies, [side.counts for side in load_vocabularies(folder)]


def _checkpoint(folder: Path, number: int) -> None:
    tensors = [initial_parameters(SIZE, seed) for seed in (number, number + 10, number + 20)]
    state = State(*tensors, updates=100 * number, epoch=1, position=3, fingerprint={"seed": number})
    save_state(CheckpointFolder(folder).path(100), state)


def _read_checkpoint(folder: Path) -> Any:
    state, complaints = CheckpointFolder(folder).newest("cpu", at_most=1000)
    if state is None:
        return complaints and "refused"
    return state.counters(), [{n: v.tolist() for n, v in state.parameters.items()} for _ in range(1)]


def _reports(folder: Path, number: int) -> None:
    for k in range(5):
        append_report(folder / "metrics.jsonl", {"updates": 50 * k, "loss_per_token": k + number / 8, "seconds": k})


def _score(folder: Path, number: int) -> None:
    metric = {"name": "BLEU", "score": 20.0 + number, "signature": "nrefs:1"}
    write_json(folder / "x.json", {"sentences": 9, "bleu": metric, "chrf3": metric, "unigram_f1": None})


def _typed_table(folder: Path, number: int) -> None:
    columns = [Column("", "system"), Column("BLEU", "ensemble", "bleu", "ensemble")]
    write_table(folder / "x.json", Table(["caption"], columns, [["bpe", 20.5 + number], ["words", None]]))


def _significance(folder: Path, number: int) -> None:
    head = {"method": "bootstrap", "samples": 10, "seed": number, "baseline": "a"}
    write_json(folder / "x.json", head | {"metrics": {"bleu": {"b": {"score": 20.0, "p": 0.25}}}})


def _segmenter(folder: Path, number: int) -> None:
    counts = {"lower": 5 + number, "lowest": 4, "newest": 6}
    registry.create("bpe", {"merges": 6 + number}, [counts], ["en"])[0].save(folder / "x.json")


def _truecaser(folder: Path, number: int) -> None:
    train_truecaser([f"a The the Word{number} in the House"] * 3).save(folder / "x")


PAIRS_FILES = ["pairs.json", *(f"{s}.{e}" for s in ("source", "target") for e in ("ids", "offsets", "vocabulary"))]
KINDS = {
    "text": Kind("x", lambda f, n: void(write_lines(f / "x", _lines(n))), lambda f: list(read_lines(f / "x"))),
    "word counts": Kind("x", lambda f, n: VOCABULARIES[n % 2].save(f / "x"), lambda f: read_counts(f / "x")),
    "vocabulary": Kind("x", lambda f, n: VOCABULARIES[n % 2].save(f / "x"), lambda f: Vocabulary.load(f / "x").counts),
    "truecaser": Kind("x", _truecaser, lambda f: TruecaseModel.load(f / "x").counts),
    "alignment": Kind(
        "x", lambda f, n: void(write_lines(f / "x", [format_links([(k, n)]) for k in range(9)])),
        lambda f: list(read_links(f / "x")),
    ),
    "lexicon": Kind(
        "x", lambda f, n: Lexicon([("a", "x", 0.5), ("a", "y", 0.25), (f"b{n}", "y", 1.0)]).save(f / "x"),
        lambda f: list(Lexicon.load(f / "x")),
    ),
    "table": Kind(
        "x", lambda f, n: void(write_lines(f / "x", ["# caption", "system\tBLEU", f"bpe\t{20 + n}.5"])),
        lambda f: formats.read_tsv(f / "x"),
    ),
    "typed table": Kind("x.json", _typed_table, lambda f: read_table(f / "x.json")),
    "segmenter": Kind("x.json", _segmenter, lambda f: registry.load(f / "x.json").to_json()),
    "scores": Kind("x.json", _score, lambda f: read_scores(f / "x.json")),
    "significance": Kind("x.json", _significance, lambda f: read_significance(f / "x.json")),
    "choice": Kind(
        "x.json", lambda f, n: write_json(f / "x.json", {"member": f"m{n}", "bleu": {"m1": 20.5, "m2": 20.0}}),
        lambda f: read_choice(f / "x.json"),
    ),
    "reports": Kind("metrics.jsonl", _reports, lambda f: read_reports(f / "metrics.jsonl")),
    "checkpoint": Kind("update-000000100.safetensors", _checkpoint, _read_checkpoint),
    **{name: Kind(name, _member, _read_member) for name in ("model.json", "model.safetensors")},
    **{name: Kind(name, _pairs, _read_pairs) for name in PAIRS_FILES},
}  # fmt: skip


def void(_: object) -> None:
    """For makers that return something."""
