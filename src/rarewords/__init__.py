"""Neural Machine Translation of Rare Words with Subword Units, as software that people run."""

__version__ = "0.1.0"
