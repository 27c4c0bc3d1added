"""The dry run that decides which units are loaded when (docs/reproduction/training.md, section Large vocabularies)."""

from itertools import pairwise

import numpy as np
import pytest

from rarewords.errors import InputError
from rarewords.training.batches import Corpus, epoch_batches
from rarewords.training.partitions import find_partitions


def corpus_of(source, target):
    """Pairs of id sequences."""

    def side(sequences):
        offsets = np.cumsum([0, *map(len, sequences)])
        return np.array([unit for sequence in sequences for unit in sequence], dtype=np.int32), offsets

    return Corpus(*side(source), *side(target), np.arange(len(source)))


def one_pair_batches(corpus):
    return [np.array([number]) for number in range(len(corpus))]


def found(corpus, batches, sizes, loaded):
    partitions = find_partitions(corpus, batches, dict(zip(("source", "target"), sizes, strict=True)), loaded)
    units = [[rows.tolist() for rows in partitions.units[side]] for side in ("source", "target")]
    return partitions.starts, *units


def random_case(seed):
    """A corpus of words by Zipf's law, its minibatches of one pass, the sizes of the vocabularies, and the slots."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(50, 90, 2)
    sides = []
    for size in sizes:
        probabilities = 1 / np.arange(1, size)
        probabilities /= probabilities.sum()
        sides.append([[*rng.choice(size - 1, rng.integers(1, 8), p=probabilities) + 1, 0] for _ in range(300)])
    corpus = corpus_of(*sides)
    return corpus, epoch_batches(corpus, 4, seed, 0), [int(size) for size in sizes], int(rng.integers(29, 45))


def plainly(corpus, batches, sizes, loaded):
    """The algorithm as it is written down in the documentation, with dictionaries and sets."""
    sides = [dict(enumerate(range(min(loaded, size)))) for size in sizes]  # D: the slot of each loaded unit
    left_over = [set(side) for side in sides]  # C
    needed = [set(), set()]  # d
    starts, units = [0], ([], [])

    def insert(k, ids):
        for unit in ids:
            if unit in needed[k]:
                continue
            if len(needed[k]) == len(sides[k]):
                return False
            if unit in sides[k]:
                left_over[k].remove(unit)
            else:
                rarest = max(left_over[k])
                left_over[k].remove(rarest)
                sides[k][unit] = sides[k].pop(rarest)
            needed[k].add(unit)
        return True

    def close():
        for k in (0, 1):
            units[k].append(sorted(sides[k], key=sides[k].get))
            needed[k], left_over[k] = set(), set(sides[k])

    for number, batch in enumerate(batches):
        ids = [[int(unit) for pair in batch for unit in corpus.pair(pair)[k]] for k in (0, 1)]
        fits = [insert(k, ids[k]) for k in (0, 1)]
        if not all(fits):
            close()
            starts.append(number)
            for k in (0, 1):
                insert(k, ids[k])
    close()
    return starts, *units


def test_by_hand():
    source = [[1, 0], [4, 0], [2, 0], [5, 0]]
    corpus = corpus_of(source, [[0]] * 4)
    # 0 1 2 are loaded; 4 takes the place of 2; 2 does not fit beside 0 1 4: a new partition, in which 2 takes the place
    # of 4 and 5 the place of 1
    assert found(corpus, one_pair_batches(corpus), (6, 2), 3) == (
        [0, 2],
        [[0, 1, 4], [0, 5, 2]],
        [[0, 1], [0, 1]],
    )


def test_a_unit_that_gave_way_comes_back_in_another_slot():
    corpus = corpus_of([[4, 2, 0]], [[0]])
    # 4 takes the place of 2, the rarest one, although 2 is needed next; it then takes the place of 1
    assert found(corpus, one_pair_batches(corpus), (5, 1), 3)[1] == [[0, 2, 4]]


def test_either_side_ends_the_partition_of_both():
    corpus = corpus_of([[1, 0], [2, 0], [3, 0]], [[1, 0], [2, 0], [1, 0]])
    starts, source, target = found(corpus, one_pair_batches(corpus), (4, 3), 2)
    assert starts == [0, 1, 2]
    assert (source, target) == ([[0, 1], [0, 2], [0, 3]], [[0, 1], [0, 2], [0, 1]])


@pytest.mark.parametrize("seed", range(20))
def test_equals_the_algorithm_with_dictionaries(seed):
    case = random_case(seed)
    result = found(*case)
    assert result == plainly(*case)
    assert len(result[0]) > 3


@pytest.mark.parametrize("seed", range(5))
def test_the_units_of_every_minibatch_are_loaded_and_no_slot_is_empty(seed):
    corpus, batches, sizes, loaded = random_case(seed)
    starts, *units = found(corpus, batches, sizes, loaded)
    assert starts == sorted(set(starts))
    for k, (size, sets) in enumerate(zip(sizes, units, strict=True)):
        assert len(sets) == len(starts)
        for rows, start, end in zip(sets, starts, [*starts[1:], len(batches)], strict=True):
            assert len(rows) == len(set(rows)) == min(loaded, size)
            needed = {unit for batch in batches[start:end] for pair in batch for unit in corpus.pair(pair)[k].tolist()}
            assert needed <= set(rows)


def test_a_partition_is_as_long_as_it_can_be():
    corpus, batches, sizes, loaded = random_case(3)
    starts, *_ = found(corpus, batches, sizes, loaded)
    for start, end in pairwise(starts):
        too_many = [
            len(
                {unit for batch in batches[start : end + 1] for pair in batch for unit in corpus.pair(pair)[k].tolist()}
            )
            > min(loaded, size)
            for k, size in enumerate(sizes)
        ]
        assert any(too_many)


def test_a_vocabulary_that_fits_is_loaded_whole_in_its_order():
    corpus, batches, sizes, _ = random_case(1)
    starts, source, target = found(corpus, batches, sizes, max(sizes))
    assert starts == [0]
    assert source == [list(range(sizes[0]))]
    assert target == [list(range(sizes[1]))]


def test_the_partition_of_a_position():
    corpus, batches, sizes, loaded = random_case(2)
    partitions = find_partitions(corpus, batches, {"source": sizes[0], "target": sizes[1]}, loaded)
    of_position = [partitions.find(position) for position in range(len(batches))]
    assert of_position == [
        sum(start <= position for start in partitions.starts) - 1 for position in range(len(batches))
    ]
    assert set(of_position) == set(range(len(partitions)))


@pytest.mark.parametrize(("source", "target", "side"), [([1, 2, 3, 0], [0], "source"), ([0], [3, 1, 0, 2], "target")])
@pytest.mark.parametrize("before", [0, 2])
def test_a_minibatch_that_does_not_fit_alone_is_refused(source, target, side, before):
    corpus = corpus_of([[0]] * before + [source], [[0]] * before + [target])
    with pytest.raises(InputError) as refused:
        found(corpus, one_pair_batches(corpus), (4, 4), 3)
    assert str(refused.value) == (
        f"training.partition_vocabulary: a minibatch has more than 3 distinct units on the {side} side; "
        "raise it or lower training.batch_size."
    )
