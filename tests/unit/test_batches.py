"""Which pairs are trained on, and in which order (docs/reproduction.md, section Batches)."""

from itertools import islice

import numpy as np
import pytest
import torch

from rarewords.errors import InputError
from rarewords.training.batches import Corpus, batch_stream, epoch_batches, make_batch, read_corpus
from rarewords.vocabulary import EOS, UNK, Vocabulary

SIZE = 5  # pairs in a batch


def corpus_of(lengths):
    """Pairs of the given (source, target) lengths, EOS included; the first id of both sides is 2 + the pair's index."""

    def side(sizes):
        ids = [np.array([2 + number, *[1] * (size - 2), EOS], dtype=np.int32) for number, size in enumerate(sizes)]
        return np.concatenate(ids), np.concatenate([[0], np.cumsum(sizes)])

    return Corpus(*side([s for s, _ in lengths]), *side([t for _, t in lengths]), 0)


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(4)
    return corpus_of(rng.integers(2, 30, size=(253, 2)).tolist())  # two full pools of 100 and one of 53


def same(batch, other):
    return all(torch.equal(getattr(batch, name), getattr(other, name)) for name in vars(batch))


def test_every_pair_comes_once_an_epoch(corpus):
    for epoch in range(3):
        batches = epoch_batches(corpus, SIZE, seed=1, epoch=epoch)
        assert sorted(np.concatenate(batches).tolist()) == list(range(253))
        assert [len(batch) for batch in batches] == [SIZE] * 50 + [3]


def test_each_twenty_batches_ascend_by_the_longer_side_and_are_drawn_from_all_lengths(corpus):
    batches = epoch_batches(corpus, SIZE, seed=1, epoch=0)
    longer = [
        [max(map(len, corpus.pair(int(index)))) for index in np.concatenate(batches[start : start + 20])]
        for start in (0, 20, 40)
    ]
    assert [len(pool) for pool in longer] == [100, 100, 53]
    for pool in longer:
        assert pool == sorted(pool)
        assert pool[0] < 15
        assert pool[-1] > 25  # not sorted beyond the pool


def test_epochs_and_seeds_have_orders_of_their_own_and_repeat_them(corpus):
    orders = {
        (seed, epoch): np.concatenate(epoch_batches(corpus, SIZE, seed, epoch)).tolist()
        for seed in (1, 2)
        for epoch in (0, 1, 2)
    }
    assert len({tuple(order) for order in orders.values()}) == 6
    assert np.concatenate(epoch_batches(corpus, SIZE, 2, 1)).tolist() == orders[2, 1]


def test_a_pool_is_a_sorted_slice_of_a_permutation(corpus):
    """The pool's members, not only their order, change from epoch to epoch."""
    first = [set(np.concatenate(epoch_batches(corpus, SIZE, 1, epoch)[:20]).tolist()) for epoch in (0, 1)]
    assert 20 < len(first[0] & first[1]) < 70  # 100 of 253 twice: 40 in common by chance


def test_the_stream_can_start_at_every_position(corpus):
    batches = list(islice(batch_stream(corpus, SIZE, seed=1, epoch=0, position=0), 110))
    assert [(epoch, position) for _, epoch, position in batches[48:54]] == [
        (0, 49), (0, 50), (1, 0), (1, 1), (1, 2), (1, 3),
    ]  # fmt: skip
    for start in (1, 17, 50, 51, 52, 101, 102):
        _, epoch, position = batches[start - 1]
        for resumed, expected in zip(
            islice(batch_stream(corpus, SIZE, 1, epoch, position), 3), batches[start:], strict=False
        ):
            assert resumed[1:] == expected[1:]
            assert same(resumed[0], expected[0])


def test_padding_is_eos_outside_the_mask():
    batch = make_batch(corpus_of([(4, 2), (2, 3)]), np.array([1, 0]))
    assert batch.source.tolist() == [[3, 2], [EOS, 1], [EOS, 1], [EOS, EOS]]
    assert batch.source_mask.tolist() == [[True, True], [True, True], [False, True], [False, True]]
    assert batch.target.tolist() == [[3, 2], [1, EOS], [EOS, EOS]]
    assert batch.target_mask.tolist() == [[True, True], [True, True], [True, False]]


@pytest.fixture
def text(tmp_path):
    def write(source, target):
        for name, lines in (("source", source), ("target", target)):
            (tmp_path / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return tmp_path / "source", tmp_path / "target"

    return write


VOCABULARIES = Vocabulary({"a": 3, "b": 2}), Vocabulary({"x": 3})


def test_reading_encodes_and_appends_eos(text):
    corpus = read_corpus(*text(["a b c", "  b  a "], ["x", "y x"]), *VOCABULARIES, maximum=3)
    assert [[side.tolist() for side in corpus.pair(k)] for k in range(len(corpus))] == [
        [[2, 3, UNK, EOS], [2, EOS]],
        [[3, 2, EOS], [UNK, 2, EOS]],
    ]
    assert corpus.lengths().tolist() == [4, 3]
    assert corpus.skipped == 0


def test_pairs_with_a_longer_or_an_empty_side_are_skipped_not_cut(text):
    source = ["a a a", "a a a a", "a", "", "b", "b b"]
    target = ["x x x", "x", "x x x x", "x", " ", "x"]
    corpus = read_corpus(*text(source, target), *VOCABULARIES, maximum=3)
    assert [corpus.pair(k)[0].tolist() for k in range(len(corpus))] == [[2, 2, 2, EOS], [3, 3, EOS]]
    assert corpus.skipped == 4


def test_a_text_without_a_usable_pair_is_refused(text):
    source, target = text(["a a a", ""], ["x", ""])
    with pytest.raises(InputError, match=r"source and .*target: no pair has 1 to 2 units on both sides \(2 skipped\)"):
        read_corpus(source, target, *VOCABULARIES, maximum=2)
