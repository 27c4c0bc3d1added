"""A trained member on disk: a folder with `model.safetensors` (parameters) and `model.json` (everything else).

Training writes it, decoding reads it. The JSON holds sizes, both vocabularies and where the model comes from, so a
member can be used without the files it was made from.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError

from rarewords import __version__
from rarewords.errors import InputError
from rarewords.model.parameters import NetworkSize, Parameters
from rarewords.text.documents import read_json, write_json
from rarewords.text.files import PathLike, atomic_file
from rarewords.vocabulary import Vocabulary

FORMAT = 1


@dataclass(frozen=True)
class SavedModel:
    """A network ready for decoding; `training` says how it was made (settings, updates, seed, input checksums)."""

    parameters: Parameters
    size: NetworkSize
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    training: dict[str, Any]


def save_model(folder: PathLike, model: SavedModel) -> None:
    """Write a member's folder; raises InputError if the disk does not take it.

    The JSON of an earlier member goes first and the new one comes last, so a folder with one is complete.
    """
    (Path(folder) / "model.json").unlink(missing_ok=True)
    tensors = {name: value.detach().cpu().contiguous() for name, value in model.parameters.items()}
    with atomic_file(Path(folder) / "model.safetensors") as out:
        out.write(safetensors.torch.save(tensors))
    description = {
        "format": FORMAT,
        "rarewords": __version__,
        "size": asdict(model.size),
        "parameters": model.size.count(),
        "training": model.training,
        "source_vocabulary": model.source_vocabulary.counts,
        "target_vocabulary": model.target_vocabulary.counts,
    }
    write_json(Path(folder) / "model.json", description)


def load_model(folder: PathLike, device: str = "cpu") -> SavedModel:
    """Read a member; raises InputError for a missing, foreign or damaged folder."""
    folder = Path(folder)
    description = read_json(folder / "model.json")
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise InputError(f"{folder / 'model.json'}: not a model of this version of rarewords; train it again.")
    try:
        size = NetworkSize(**description["size"])
        vocabularies = Vocabulary(description["source_vocabulary"]), Vocabulary(description["target_vocabulary"])
        model = SavedModel(_load_parameters(folder, device), size, *vocabularies, description["training"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{folder / 'model.json'}: damaged ({error!r}); copy or train the member again.") from error
    shapes = {name: tuple(value.shape) for name, value in model.parameters.items()}
    if shapes != size.shapes() or (len(vocabularies[0]), len(vocabularies[1])) != (
        size.source_vocabulary,
        size.target_vocabulary,
    ):
        raise InputError(f"{folder}: model.safetensors and model.json do not belong together; copy both again.")
    return model


def _load_parameters(folder: Path, device: str) -> Parameters:
    try:
        mapped = safetensors.torch.load_file(folder / "model.safetensors", device=device)
    except (SafetensorError, OSError) as error:
        raise InputError(
            f"{folder / 'model.safetensors'}: cannot be read ({error}); copy or train it again."
        ) from error
    # clones, because the others lie unaligned in a mapping of the file, which makes products slower
    return {name: value.clone() for name, value in mapped.items()}
