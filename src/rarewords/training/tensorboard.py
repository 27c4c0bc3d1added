"""Reports of training runs as event files for TensorBoard (optional extra `tensorboard`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rarewords.errors import InputError
from rarewords.text.files import PathLike
from rarewords.training.status import reported_trainings

CURVES = (
    "loss_per_token", "dev_loss_per_token", "dev_bleu", "gradient_norm", "clipped", "tokens_per_second",
    "peak_memory_mib", "epoch",
)  # fmt: skip
SUFFIX = ".rarewords"  # of the files written here, so that those of an earlier call are known


def write_events(models: PathLike, output: PathLike) -> list[Path]:
    """Write the curves of every training below a models folder, each into a folder of its name below `output`.

    A step is an update, the time is that of the report; missing values (null) are left out. What an earlier call
    wrote there is replaced. Returns the folders. Raises InputError if TensorBoard is not installed, if no training has
    reported, or if the files cannot be written.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise InputError(
            "TensorBoard is not installed; install it with: pip install 'rarewords[tensorboard]'."
        ) from error
    folders = []
    for name, reports in reported_trainings(models):
        folder = Path(output) / name
        try:
            earlier = list(folder.glob(f"*{SUFFIX}"))
            with SummaryWriter(str(folder), filename_suffix=SUFFIX) as writer:
                _write_curves(writer, reports)
            for path in earlier:
                path.unlink()
        except OSError as error:
            raise InputError(f"{error.filename or folder}: cannot be written ({error.strerror or error}).") from error
        folders.append(folder)
    return folders


def _write_curves(writer: Any, reports: list[dict[str, Any]]) -> None:
    for report in reports:
        for curve in CURVES:
            if (value := report.get(curve)) is not None:
                writer.add_scalar(curve, value, report["updates"], walltime=report["time"])
