"""Which pairs are trained on, and in which order (docs/reproduction/training.md, section Batches)."""

import dataclasses
from itertools import islice

import numpy as np
import pytest
import torch

from rarewords.training.batches import Corpus, batch_stream, epoch_batches, make_batch
from rarewords.vocabulary import EOS

SIZE = 5  # pairs in a batch


def corpus_of(lengths):
    """Pairs of the given (source, target) lengths, EOS included; the first id of both sides is 2 + the pair's index."""

    def side(sizes):
        ids = [np.array([2 + number, *[1] * (size - 2), EOS], dtype=np.int32) for number, size in enumerate(sizes)]
        return np.concatenate(ids), np.concatenate([[0], np.cumsum(sizes)])

    return Corpus(*side([s for s, _ in lengths]), *side([t for _, t in lengths]), np.arange(len(lengths)))


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(4)
    return corpus_of(rng.integers(2, 30, size=(253, 2)).tolist())  # two full pools of 100 and one of 53


def same(batch, other):
    tensors = {name for name, value in vars(batch).items() if isinstance(value, torch.Tensor)}
    assert tensors == {"source", "source_mask", "target", "target_mask"}
    return batch.target_tokens == other.target_tokens and all(
        torch.equal(getattr(batch, name), getattr(other, name)) for name in tensors
    )


def test_every_pair_comes_once_an_epoch(corpus):
    for epoch in range(3):
        batches = epoch_batches(corpus, SIZE, seed=1, epoch=epoch)
        assert sorted(np.concatenate(batches).tolist()) == list(range(253))
        assert [len(batch) for batch in batches] == [SIZE] * 50 + [3]


def test_only_kept_pairs_come(corpus):
    kept = dataclasses.replace(corpus, kept=np.arange(3, 253, 2))
    assert (len(kept), kept.skipped) == (125, 128)
    batches = epoch_batches(kept, SIZE, seed=1, epoch=0)
    assert sorted(np.concatenate(batches).tolist()) == list(range(3, 253, 2))
    longer = [max(map(len, kept.pair(int(index)))) for index in np.concatenate(batches[:20])]
    assert longer == sorted(longer)


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
    assert batch.target_tokens == 5
