"""Models of the library sentencepiece (Kudo and Richardson, 2018), trained on word counts.

The text is left as it is: no normalisation, white space is kept. The rest, such as no pieces across scripts and at most
16 characters a piece, is as in the library. See docs/reproduction/further-segmentations.md.
"""

from __future__ import annotations

import io
import re
from typing import Any

from rarewords.errors import InputError

SPACE = "▁"  # U+2581, which stands for the space in a piece
MODELS = ("unigram", "bpe")


def train_model(method: str, counts: dict[str, int], size: int, model: str, coverage: float, mark_ends: bool) -> bytes:
    """The serialised model of at most `size` pieces, the unknown one counted.

    `mark_ends`: the library's mark of a word stands at its end, else at its start. `coverage` is the share of running
    characters that are known. Words with a tab are left out, for the library's table of counts cannot hold them.
    Raises InputError that names `method` if there are no words, and if the library does not accept the size.
    """
    from sentencepiece import SentencePieceTrainer

    words = {word: count for word, count in counts.items() if word and "\t" not in word}
    if not words:
        raise InputError(f"segmentation {method}: there are no words to learn pieces from; give a text with words.")
    written = io.BytesIO()
    try:
        SentencePieceTrainer.train(
            sentence_iterator=(f"{word}\t{count}" for word, count in words.items()),
            input_format="tsv",
            model_writer=written,
            model_type=model,
            vocab_size=size,
            hard_vocab_limit=False,  # a small text has fewer pieces; that is not an error, as with merges
            character_coverage=float(coverage),
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            treat_whitespace_as_suffix=mark_ends,
            bos_id=-1,
            eos_id=-1,
            num_threads=1,  # with several, sums would depend on their number
            minloglevel=2,
        )
    except RuntimeError as error:
        reason = re.sub(r"^.*\] ", "", " ".join(str(error).split()))
        raise InputError(
            f"segmentation {method}: the library sentencepiece cannot train a {model} model of {size} pieces "
            f"({reason}); change the setting 'vocabulary'."
        ) from error
    return written.getvalue()


def load_model(content: bytes) -> Any:
    """The library's processor of a serialised model; raises ValueError for anything else."""
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(content)
    except RuntimeError as error:
        raise ValueError("its sentencepiece model cannot be read") from error
    return processor


def pieces(content: bytes) -> list[str]:
    """The pieces of a model by number, without the unknown one."""
    processor = load_model(content)
    return [processor.IdToPiece(number) for number in range(len(processor)) if not processor.IsUnknown(number)]
