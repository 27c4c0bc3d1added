"""The optional parts of the installation, and the sentence for a command that needs one which is missing."""

from __future__ import annotations

# package that is imported -> (the extra of pyproject.toml that installs it, what it is for)
EXTRAS = {
    "torch": ("train", "training and translating"),
    "safetensors": ("train", "training and translating"),
    "matplotlib": ("report", "figures and reports"),
    "jinja2": ("report", "figures and reports"),
    "snakemake": ("workflow", "running experiments"),
    "babel": ("workflow", "checking the language of a text"),
    "tokenizers": ("tokenizers", "the trainer 'tokenizers' of WordPiece"),
    "tensorboard": ("tensorboard", "event files for TensorBoard"),
}


def missing_extra(error: ModuleNotFoundError) -> str | None:
    """A sentence that says which extra to install, if a package of one could not be imported; None for any other."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return None
    extra, purpose = EXTRAS[package]
    return (
        f"{package}, which is needed for {purpose}, is not installed; "
        f"install it with: pip install 'rarewords[{extra}]'."
    )
