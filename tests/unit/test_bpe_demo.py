"""Byte pair encoding on all embedded training texts: the same as the released tool, line by line."""

import io
from pathlib import Path

import pytest
from subword_nmt import apply_bpe, learn_bpe

from rarewords.corpus.importing import count_words
from rarewords.segmentation.bpe.codes import Codes, read_codes, write_codes
from rarewords.segmentation.bpe.learn import learn_merges
from rarewords.segmentation.bpe.text import Options, segment_lines
from rarewords.text.files import read_lines
from rarewords.text.moses import normalise_punctuation, tokenise

DEMO = sorted((Path(__file__).parents[2] / "data/demo").glob("*/*/train.*.gz"))
MERGES = 2000


def test_the_demo_texts_are_there():
    assert len(DEMO) == 8


@pytest.mark.slow
@pytest.mark.parametrize("path", DEMO, ids=lambda path: "-".join(path.parts[-3:]))
def test_equals_the_released_tool_on_a_whole_training_text(path, tmp_path):
    language = path.name.split(".")[1]
    lines = [tokenise(normalise_punctuation(line, language), language) for line in read_lines(path)]
    counts = count_words(lines)
    codes = io.StringIO()
    dictionary = [f"{word} {count}" for word, count in counts.items()]
    learn_bpe.learn_bpe(dictionary, codes, MERGES, is_dict=True)
    write_codes(tmp_path / "codes", Codes("0.2", tuple(learn_merges(counts, MERGES))))
    assert (tmp_path / "codes").read_text(encoding="utf-8") == codes.getvalue()
    assert codes.getvalue().count("\n") == MERGES + 1
    codes.seek(0)
    theirs = apply_bpe.BPE(codes)
    for line, segmented in zip(lines, segment_lines(read_codes(tmp_path / "codes"), Options(), lines), strict=True):
        assert segmented == theirs.process_line(line)
