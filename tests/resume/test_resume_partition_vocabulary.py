"""Interrupted trainings whose vocabulary is loaded in part end as if they had not been, too, bit for bit."""

from __future__ import annotations

import shutil

import pytest
import torch

from rarewords.model.parameters import VOCABULARY_SIZED
from rarewords.training.checkpoint import load_state, save_state

# Of 10 ids a pair alone has 7 at most: partitions of one to a few updates, 150 updates an epoch.
ROLLED = ("--batch-size=1", "--partition-vocabulary=8")


@pytest.fixture(scope="module")
def whole(training):
    """The folder of an uninterrupted training of 200 updates, and of its continuation by 40."""
    code, errors = training.finish(training.run_command("rolled", 200, *ROLLED))
    assert code == 0, errors
    code, errors = training.finish(training.finetune_command("rolled/saved2", "rolled-member", 40))
    assert code == 0, errors
    return "rolled"


def told_partitions(errors):
    return [line for line in errors.splitlines() if "minibatches in" in line and "partitions of 8 units" in line]


def test_stopped_and_continued_equals_uninterrupted(training, whole):
    for updates in (77, 150, 151, 163):  # within the first epoch, at its end, in the second
        code, errors = training.finish(training.run_command("rolled-pieces", updates, *ROLLED))
        assert code == 0, errors
    assert len(told_partitions(errors)) == 1  # begun in the second epoch
    assert training.finish(training.run_command("rolled-pieces", 200, *ROLLED))[0] == 0
    for saved in ("saved1", "saved2"):
        assert training.same_state(f"rolled-pieces/{saved}", f"{whole}/{saved}")


def test_killed_at_random_moments_equals_uninterrupted(training, whole):
    training.killed_again_and_again(training.run_command("rolled-killed", 200, *ROLLED), 3, seed=5)
    for saved in ("saved1", "saved2"):
        assert training.same_state(f"rolled-killed/{saved}", f"{whole}/{saved}")


def test_the_continuation_freezes_the_complete_tensors(training, whole):
    before, after = load_state(training.folder / whole / "saved2").parameters, training.member_weights("rolled-member")
    assert {name for name, value in before.items() if torch.equal(after[name], value)} == set(VOCABULARY_SIZED)


def test_a_killed_continuation_equals_uninterrupted(training, whole):
    command = training.finetune_command(f"{whole}/saved2", "rolled-member2", 40)
    training.killed_again_and_again(command, 2, seed=6)
    killed, uninterrupted = (training.member_weights(f"rolled-{name}") for name in ("member2", "member"))
    assert all(torch.equal(killed[name], uninterrupted[name]) for name in uninterrupted)


def test_a_changed_number_of_loaded_units_is_refused_by_name(training, whole):
    code, errors = training.finish(training.run_command(whole, 200, "--batch-size=1", "--partition-vocabulary=9"))
    assert code == 2
    assert "another training run (partition_vocabulary was 8, is 9); " in errors


def test_a_minibatch_with_more_units_is_one_sentence(training):
    code, errors = training.finish(training.run_command("rolled-small", 200, "--partition-vocabulary=5"))
    assert code == 2
    assert errors.splitlines()[-1].startswith(
        "rarewords: training.partition_vocabulary: a minibatch has more than 5 distinct units on the "
    )


def test_a_training_from_before_this_setting_goes_on_with_the_whole_vocabulary(training):
    """Its checkpoints and saved models do not have the key."""
    shutil.copytree(training.folder / "whole", training.folder / "old")
    for path in [training.folder / "old/saved2", *(training.folder / "old/checkpoints").glob("update-*")]:
        state = load_state(path)
        assert state.fingerprint.pop("partition_vocabulary") is None
        path.unlink()  # a link to the same data as others
        save_state(path, state)
    code, errors = training.finish(training.run_command("old", 50))
    assert code == 0, errors
    assert "continuing from update 40 " in errors
    code, errors = training.finish(training.finetune_command("old/saved2", "old-member", 3))
    assert code == 0, errors
