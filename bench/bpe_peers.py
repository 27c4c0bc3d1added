"""What bench/bpe.py runs in a peer's Python: learn or apply with one tool, from a file to a file.

    python bench/bpe_peers.py TOOL learn INPUT MERGES OUTPUT        (INPUT is a dictionary, `word count` lines)
    python bench/bpe_peers.py TOOL apply INPUT CODES OUTPUT

It ends with code 3 if the tool is not installed.
"""

from __future__ import annotations

import gc
import sys

NOT_INSTALLED = 3


def subword_nmt(task: str, source: str, parameter: str, target: str) -> None:
    from subword_nmt import apply_bpe, learn_bpe

    with open(source, encoding="utf-8", newline="\n") as text, open(target, "w", encoding="utf-8", newline="\n") as out:
        if task == "learn":
            learn_bpe.learn_bpe(text, out, int(parameter), is_dict=True)
        else:
            with open(parameter, encoding="utf-8", newline="\n") as codes:
                bpe = apply_bpe.BPE(codes)
            out.writelines(map(bpe.process_line, text))


def subword_nmt_without_gc(task: str, source: str, parameter: str, target: str) -> None:
    gc.disable()
    subword_nmt(task, source, parameter, target)


def tokenizers(task: str, source: str, parameter: str, target: str) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    if task == "apply":
        sys.exit(NOT_INSTALLED)
    with open(source, encoding="utf-8", newline="\n") as dictionary:
        counts = [(word, int(count)) for word, count in (line.split(" ") for line in dictionary)]
    characters = {character for word, _ in counts for character in word}
    finals = {word[-1] for word, _ in counts}
    size = len(characters) + len(finals) + int(parameter)
    tokenizer = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.BpeTrainer(
        vocab_size=size, min_frequency=2, end_of_word_suffix="</w>", show_progress=False, limit_alphabet=100_000
    )
    tokenizer.train_from_iterator((" ".join([word] * count) for word, count in counts), trainer)
    tokenizer.save(target)


TOOLS = {"subword-nmt": subword_nmt, "subword-nmt, gc off": subword_nmt_without_gc, "tokenizers": tokenizers}

if __name__ == "__main__":
    try:
        TOOLS[sys.argv[1]](*sys.argv[2:])
    except ImportError:
        sys.exit(NOT_INSTALLED)
