"""Training with a part of the vocabulary loaded, against the same in plain float64 and against smaller networks."""

import io
from dataclasses import replace

import numpy as np
import pytest
import torch
from network import adadelta_step, sentence_loss

from rarewords.errors import InputError
from rarewords.model.parameters import VOCABULARY_SIZED, VOCABULARY_SIZED_OF
from rarewords.model.size import NetworkSize
from rarewords.settings import TrainingSettings
from rarewords.training.batches import Corpus, batch_stream, epoch_batches
from rarewords.training.checkpoint import CheckpointFolder, State, load_state
from rarewords.training.partition_vocabulary import PartitionVocabulary
from rarewords.training.partitions import find_partitions
from rarewords.training.progress import Progress
from rarewords.training.schedule import Schedule
from rarewords.training.trainer import initial_state, run

SIZES = {"source": 14, "target": 16}
SETTINGS = TrainingSettings(
    embedding=3, hidden=4, init_std=0.3, clip_norm=2.0, batch_size=2, max_length=9, seed=1, partition_vocabulary=9
)


def corpus_below(source_size, target_size):
    """Thirty pairs of one to three ids from 1 (UNK) up to the sizes, and EOS: at most seven distinct ids in two."""
    rng = np.random.default_rng(7)

    def side(size):
        sequences = [[*rng.integers(1, size, rng.integers(1, 4)), 0] for _ in range(30)]
        return np.concatenate(sequences).astype(np.int32), np.cumsum([0, *map(len, sequences)])

    return Corpus(*side(source_size), *side(target_size), np.arange(30))


CORPUS = corpus_below(*SIZES.values())  # 15 minibatches an epoch


def new_state(sizes=SIZES, dtype=torch.float32):
    state = initial_state(SETTINGS, NetworkSize(*sizes.values(), 3, 4), torch.device("cpu"))
    for group in (state.parameters, state.squares, state.deltas):
        group |= {name: value.to(dtype) for name, value in group.items()}
    return state


def groups(state):
    return {"parameters": state.parameters, "squares": state.squares, "deltas": state.deltas}


@pytest.fixture
def train(tmp_path):
    def start(state, updates, settings=SETTINGS, corpus=CORPUS, fixed=False):
        progress = Progress("x", state.updates, updates, tmp_path / "metrics.jsonl", stream=io.StringIO())
        run(state, corpus, settings, Schedule(updates, frozenset()), CheckpointFolder(tmp_path / "c"), progress, fixed)
        return state, progress.stream.getvalue()

    return start


def reference(state, updates, fixed):
    """The same training with nothing but the equations: rows taken out of the tables and put back at every update."""
    tables = [{name: value.detach().clone() for name, value in group.items()} for group in groups(state).values()]
    stream = batch_stream(CORPUS, 2, SETTINGS.seed, 0, 0)
    epoch = position = 0
    for _ in range(updates):
        order = epoch_batches(CORPUS, 2, SETTINGS.seed, epoch)
        partitions = find_partitions(CORPUS, order, SIZES, 9)
        units = {side: rows[partitions.find(position)].tolist() for side, rows in partitions.units.items()}
        of_name = {name: units[side] for side, names in VOCABULARY_SIZED_OF.items() for name in names}
        rows = [{n: v[of_name[n]] if n in of_name else v for n, v in table.items()} for table in tables]
        leaves = {name: value.clone().requires_grad_() for name, value in rows[0].items()}
        total = 0
        for index in order[position]:
            source, target = CORPUS.pair(index)
            total = total + sentence_loss(
                leaves, [units["source"].index(x) for x in source], [units["target"].index(y) for y in target]
            )
        total.backward()
        stepped = adadelta_step(*[rows[0], {n: v.grad for n, v in leaves.items()}, *rows[1:]], SETTINGS.clip_norm)
        if fixed:
            stepped[0].update({name: rows[0][name] for name in VOCABULARY_SIZED})
        for table, new in zip(tables, stepped, strict=True):
            for name, value in new.items():
                if name in of_name:
                    table[name][of_name[name]] = value
                else:
                    table[name] = value
        _, epoch, position = next(stream)
    return dict(zip(groups(state), tables, strict=True))


@pytest.mark.parametrize("fixed", [False, True])
def test_loss_norm_and_accumulators_are_those_of_the_loaded_rows(train, fixed):
    expected = reference(new_state(dtype=torch.float64), 20, fixed)  # into the second epoch
    state, told = train(new_state(dtype=torch.float64), 20, fixed=fixed)
    assert told.count("partitions of 9 units") == 2
    assert int(told.split(" partitions")[0].split()[-1]) > 3
    for group, tensors in groups(state).items():
        for name, value in tensors.items():
            torch.testing.assert_close(
                value.detach(), expected[group][name], rtol=0, atol=1e-10, msg=f"{group} of {name}"
            )


def test_rows_outside_do_not_change_and_unused_loaded_ones_decay(train):
    state = new_state()
    for group in (state.squares, state.deltas):
        for name in VOCABULARY_SIZED:
            group[name].fill_(1.0)
    before = {group: {n: v.clone() for n, v in tensors.items()} for group, tensors in groups(state).items()}
    train(state, 1)
    partitions = find_partitions(CORPUS, epoch_batches(CORPUS, 2, 1, 0), SIZES, 9)
    first = epoch_batches(CORPUS, 2, 1, 0)[0]
    for k, (side, names) in enumerate(VOCABULARY_SIZED_OF.items()):
        loaded = set(partitions.units[side][0].tolist())
        used = {unit for pair in first for unit in CORPUS.pair(pair)[k].tolist()}
        outside, unused = sorted(set(range(SIZES[side])) - loaded), sorted(loaded - used)
        assert outside
        assert unused
        for name in names:
            for group, tensors in groups(state).items():
                assert torch.equal(tensors[name][outside], before[group][name][outside])
        embedding = f"{side}.embedding"  # whose gradient is zero where a unit does not occur
        assert torch.equal(state.parameters[embedding][unused], before["parameters"][embedding][unused])
        for group in (state.squares, state.deltas):
            assert torch.allclose(group[embedding][unused], torch.tensor(0.95))
            assert (group[embedding][outside] == 1).all()


def same(left: State, right: State, rows=slice(None)):
    return all(
        torch.equal(mine[rows] if name in VOCABULARY_SIZED else mine, groups(right)[group][name])
        for group, tensors in groups(left).items()
        for name, mine in tensors.items()
    )


@pytest.mark.parametrize("loaded", [16, 17, 30_000])
def test_a_vocabulary_that_fits_is_the_full_softmax_bit_for_bit(train, loaded):
    plain, _ = train(new_state(), 20, replace(SETTINGS, partition_vocabulary=None))
    other, told = train(new_state(), 20, replace(SETTINGS, partition_vocabulary=loaded))
    assert same(plain, other)
    assert "partitions" not in told


def test_units_that_are_never_loaded_might_as_well_not_be_there(train):
    """With 9 loaded units and no others in the text, it is the training of a network of 9 units a side."""
    corpus = corpus_below(9, 9)
    state, _ = train(new_state(), 20, corpus=corpus)
    small = new_state()
    outside = {name: small.parameters[name][9:].clone() for name in VOCABULARY_SIZED}
    for group in groups(small).values():
        group |= {name: group[name][:9].clone() for name in VOCABULARY_SIZED}
    small, _ = train(small, 20, replace(SETTINGS, partition_vocabulary=None), corpus)
    assert same(state, small, slice(0, 9))
    for name in VOCABULARY_SIZED:
        assert torch.equal(state.parameters[name][9:], outside[name])
        assert not state.squares[name][9:].any()


def test_one_side_can_fit_whole(train):
    settings = replace(SETTINGS, partition_vocabulary=14)  # all source units, but not all target units
    state = new_state()
    source = state.parameters["source.embedding"]
    loaded = PartitionVocabulary(state, CORPUS, 14, lambda epoch: epoch_batches(CORPUS, 2, 1, epoch), print)
    assert loaded.parameters["source.embedding"] is source
    assert loaded.parameters["target.embedding"].shape == (14, 3)
    batch = next(batch_stream(CORPUS, 2, 1, 0, 0))[0]
    assert torch.equal(loaded.slots_of(batch, 0, 0).source, batch.source)
    train(state, 5, settings)


def test_what_is_loaded_depends_on_the_position_only():
    """Whether the training came from the beginning or was continued there."""

    def loaded():
        return PartitionVocabulary(new_state(), CORPUS, 9, lambda epoch: epoch_batches(CORPUS, 2, 1, epoch), str)

    walking, epoch, position = loaded(), 0, 0
    for batch, next_epoch, next_position in batch_stream(CORPUS, 2, 1, 0, 0):
        walked, jumped = walking.slots_of(batch, epoch, position), loaded().slots_of(batch, epoch, position)
        assert torch.equal(walked.source, jumped.source)
        assert torch.equal(walked.target, jumped.target)
        assert torch.equal(walking.units["target"][walked.target], batch.target)
        epoch, position = next_epoch, next_position
        if epoch == 2:
            return


def test_a_checkpoint_holds_the_complete_tensors_and_training_goes_on_from_it(train, tmp_path):
    whole, _ = train(new_state(), 20)
    partitions = find_partitions(CORPUS, epoch_batches(CORPUS, 2, 1, 0), SIZES, 9)
    inside = next(n for n in range(15) if n not in partitions.starts)  # in the middle of a partition
    for stop in (inside, partitions.starts[2], 15):
        train(new_state(), stop)
        state = load_state(tmp_path / "c" / f"update-{stop:09d}.safetensors")
        assert state.parameters["readout.output"].shape == (16, 3)
        continued, _ = train(state, 20)
        assert same(whole, continued)


def test_a_minibatch_with_more_units_than_can_be_loaded_is_refused(train):
    with pytest.raises(
        InputError, match=r"^training\.partition_vocabulary: a minibatch has more than 4 distinct units"
    ):
        train(new_state(), 5, replace(SETTINGS, partition_vocabulary=4))
