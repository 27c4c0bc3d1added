"""A trained member on disk: a folder with `model.safetensors` (parameters) and `model.json` (everything else).

Training writes it, decoding reads it. The JSON holds sizes, both vocabularies, where the model comes from and the
checksum of the parameters: a member can be used without the files it was made from, and not with the parameters of
another one. A member of an earlier version has no checksum; of its parameters it is only known that they are finite.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.model.parameters import Parameters
from rarewords.model.size import NetworkSize
from rarewords.text.documents import Kind, read_json, write_json
from rarewords.text.files import PathLike, atomic_file
from rarewords.text.identity import IDENTITY, HashedStream, check_identity
from rarewords.text.shapes import anything, map_of, one_of, record, text, whole
from rarewords.vocabulary import Vocabulary

FORMAT = 1
WEIGHTS = "model.safetensors"
_SIZES = {name: whole(1, 10**7) for name in ("source_vocabulary", "target_vocabulary", "embedding", "hidden")}
DESCRIPTION = Kind(
    "a model of this version of rarewords",
    record(
        {
            "format": one_of(FORMAT),
            "size": record(_SIZES, {"source_blocks": whole(0, 1000)}),
            "training": anything(),
            "source_vocabulary": map_of(whole()),
            "target_vocabulary": map_of(whole()),
        },
        {"rarewords": text(), "parameters": whole(), "weights": IDENTITY},
    ),
    "copy or train the member again",
)


@dataclass(frozen=True)
class SavedModel:
    """A network ready for decoding; `training` says how it was made (settings, updates, seed, input checksums)."""

    parameters: Parameters
    size: NetworkSize
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    training: dict[str, Any]

    def trained_length(self) -> int | None:
        """Source units that 99 of 100 training pairs do not exceed; of an older model `training.max_length`.

        None if the model says neither.
        """
        fingerprint = self.training.get("fingerprint")
        limit = fingerprint.get("max_length") if isinstance(fingerprint, dict) else None
        length = self.training.get("usual_source_length", limit)
        return length if isinstance(length, int) and length > 0 else None


def save_model(folder: PathLike, model: SavedModel) -> None:
    """Write a member's folder; raises InputError if the disk does not take it.

    The JSON of an earlier member goes first and the new one comes last, so a folder with one is complete.
    """
    (Path(folder) / "model.json").unlink(missing_ok=True)
    tensors = {name: value.detach().cpu().contiguous() for name, value in model.parameters.items()}
    with atomic_file(Path(folder) / WEIGHTS) as stream:
        out = HashedStream(stream)
        out.write(safetensors.torch.save(tensors))
    description = {
        "format": FORMAT,
        "rarewords": __version__,
        "size": asdict(model.size),
        "parameters": model.size.count(),
        "weights": out.identity(),
        "training": model.training,
        "source_vocabulary": model.source_vocabulary.counts,
        "target_vocabulary": model.target_vocabulary.counts,
    }
    write_json(Path(folder) / "model.json", description)


def load_model(folder: PathLike, device: str = "cpu") -> SavedModel:
    """Read a member; raises InputError for a missing, foreign or damaged folder."""
    folder = Path(folder)
    description = read_json(folder / "model.json", DESCRIPTION)
    try:
        size = NetworkSize(**description["size"])
    except ValueError as error:
        raise InputError(f"{folder / 'model.json'}: damaged ({error}); copy or train the member again.") from error
    vocabularies = Vocabulary(description["source_vocabulary"]), Vocabulary(description["target_vocabulary"])
    if "weights" in description:
        check_identity(folder / WEIGHTS, description["weights"], "copy or train the member again")
    model = SavedModel(_load_parameters(folder, device), size, *vocabularies, description["training"])
    broken = next((name for name, value in model.parameters.items() if not bool(value.isfinite().all())), None)
    if broken is not None:
        raise InputError(f"{folder / WEIGHTS}: {broken} is not finite everywhere; copy or train the member again.")
    shapes = {name: tuple(value.shape) for name, value in model.parameters.items()}
    if shapes != size.shapes() or (len(vocabularies[0]), len(vocabularies[1])) != (
        size.source_vocabulary,
        size.target_vocabulary,
    ):
        raise InputError(f"{folder}: model.safetensors and model.json do not belong together; copy both again.")
    return model


def has_checksum(folder: PathLike) -> bool:
    """Whether a member says which weights are its own; one of an earlier version does not."""
    return "weights" in read_json(Path(folder) / "model.json", DESCRIPTION)


def _load_parameters(folder: Path, device: str) -> Parameters:
    try:
        mapped = safetensors.torch.load_file(folder / WEIGHTS, device=device)
    except (SafetensorError, OSError) as error:
        raise InputError(f"{folder / WEIGHTS}: cannot be read ({error}); copy or train it again.") from error
    # clones, because the others lie unaligned in a mapping of the file, which makes products slower
    return {name: value.clone() for name, value in mapped.items()}
