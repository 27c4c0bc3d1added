"""Checkpoints: what is written comes back whole or is refused; the last good one is never lost."""

import json
import os
import random
import resource

import pytest
import safetensors.torch
import torch

from rarewords.errors import InputError
from rarewords.training.checkpoint import (
    CheckpointFolder,
    State,
    _checksum,
    _tensors,
    difference,
    load_counters,
    load_state,
    save_state,
)
from rarewords.training.session import _check_expected

COUNTERS = {"updates": 30, "epoch": 2, "position": 17, "seconds": 12.5, "broken": 1}


def a_state(updates=30, fingerprint=None):
    generator = torch.Generator().manual_seed(updates)

    def tensors():
        return {"a.matrix": torch.randn(3, 4, generator=generator), "a.bias": torch.randn(5, generator=generator)}

    counters = {**COUNTERS, "updates": updates}
    return State(tensors(), tensors(), tensors(), **counters, fingerprint=fingerprint or {"seed": 1, "clip_norm": 5.0})


def same(left, right):
    return left.counters() == right.counters() and all(
        mine.keys() == other.keys() and all(torch.equal(mine[name], other[name]) for name in mine)
        for mine, other in [
            (left.parameters, right.parameters),
            (left.squares, right.squares),
            (left.deltas, right.deltas),
        ]
    )


def newest(checkpoints, at_most=10**6):
    return checkpoints.newest("cpu", at_most)


def test_losses_of_the_development_text_come_back(tmp_path):
    """Patience counts them; one that is not a number is None."""
    state = a_state()
    state.dev_losses = [4.5, None, 4.25]
    save_state(tmp_path / "state", state)
    assert load_state(tmp_path / "state").dev_losses == [4.5, None, 4.25]


def test_counters_come_without_the_tensors(tmp_path):
    save_state(tmp_path / "state", a_state())
    assert load_counters(tmp_path / "state") == a_state().counters()
    content = (tmp_path / "state").read_bytes()
    (tmp_path / "state").write_bytes(content[:-1])
    with pytest.raises(InputError, match="not a complete checkpoint"):
        load_counters(tmp_path / "state")


@pytest.mark.parametrize("dev_losses", [[], [2.5, None, 2.0]])
@pytest.mark.parametrize("products", ["blas", "onednn"])
def test_everything_comes_back(tmp_path, dev_losses, products):
    state = a_state()
    state.dev_losses, state.products = dev_losses, products
    save_state(tmp_path / "there" / "x.safetensors", state)
    assert same(load_state(tmp_path / "there" / "x.safetensors"), state)
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["x.safetensors"]


@pytest.mark.parametrize("umask", [0o022, 0o027])
def test_others_may_read_a_checkpoint_where_the_umask_lets_them(tmp_path, umask):
    before = os.umask(umask)
    try:
        save_state(tmp_path / "checkpoint", a_state())
    finally:
        os.umask(before)
    assert (tmp_path / "checkpoint").stat().st_mode & 0o777 == 0o666 & ~umask


def test_loaded_tensors_are_aligned_memory_of_their_own(tmp_path):
    """In a mapping of the file they would lie at odd addresses, where matrix products round otherwise."""
    save_state(tmp_path / "x", a_state())
    loaded = load_state(tmp_path / "x")
    for tensors in (loaded.parameters, loaded.squares, loaded.deltas):
        assert all(value.data_ptr() % 64 == 0 for value in tensors.values())


def test_parameters_in_training_are_saved_without_their_gradients(tmp_path):
    state = a_state()
    for value in state.parameters.values():
        value.requires_grad_()
    save_state(tmp_path / "x", state)
    assert not any(value.requires_grad for value in load_state(tmp_path / "x").parameters.values())


def test_no_flipped_bit_goes_unnoticed(tmp_path):
    save_state(tmp_path / "good", a_state())
    good, content = load_state(tmp_path / "good"), (tmp_path / "good").read_bytes()
    rng = random.Random(1)
    noticed = 0
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.randrange(8)
        (tmp_path / "bad").write_bytes(damaged)
        try:
            loaded = load_state(tmp_path / "bad")
        except InputError:
            noticed += 1
        else:
            assert same(loaded, good), f"byte {place}"  # a blank, say, that became another one
    assert noticed > 0.9 * len(content)


def test_no_truncation_goes_unnoticed(tmp_path):
    save_state(tmp_path / "good", a_state())
    content = (tmp_path / "good").read_bytes()
    for length in {0, 1, 7, 8, 9, len(content) // 2, len(content) - 1}:
        (tmp_path / "bad").write_bytes(content[:length])
        with pytest.raises(InputError, match="not a complete checkpoint"):
            load_state(tmp_path / "bad")


def test_another_safetensors_file_is_no_checkpoint(tmp_path):
    import safetensors.torch

    safetensors.torch.save_file({"x": torch.zeros(3)}, tmp_path / "x")
    with pytest.raises(InputError, match="not a checkpoint of rarewords"):
        load_state(tmp_path / "x")


def test_a_missing_checkpoint_is_named(tmp_path):
    with pytest.raises(InputError, match="absent"):
        load_state(tmp_path / "absent")


def test_the_newest_is_found(tmp_path):
    checkpoints = CheckpointFolder(tmp_path / "c")
    assert newest(checkpoints) == (None, [])
    for updates in (9, 10, 11):
        save_state(checkpoints.path(updates), a_state(updates))
    (tmp_path / "c" / "update-notes.txt").touch()
    assert newest(checkpoints)[0].updates == 11
    assert newest(checkpoints, at_most=10)[0].updates == 10
    assert newest(checkpoints, at_most=8) == (None, [])


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-3], lambda content: content[:-1] + bytes([content[-1] ^ 8])]
)
def test_a_damaged_newest_gives_way_to_the_one_before_with_a_line(tmp_path, damage):
    checkpoints = CheckpointFolder(tmp_path)
    for updates in (10, 20):
        checkpoints.save(a_state(updates), set())
    path = checkpoints.path(20)
    path.write_bytes(damage(path.read_bytes()))
    state, complaints = newest(checkpoints)
    assert same(state, a_state(10))
    assert len(complaints) == 1
    assert complaints[0].startswith(str(path))
    assert complaints[0].endswith("Going back to the one before.")


def test_the_last_two_and_the_wanted_ones_are_kept(tmp_path):
    checkpoints = CheckpointFolder(tmp_path)
    for updates in range(1, 8):
        checkpoints.save(a_state(updates), keep={2, 4})
    assert checkpoints.updates() == [2, 4, 6, 7]


def test_a_damaged_one_beyond_the_state_is_not_one_of_the_two(tmp_path):
    checkpoints = CheckpointFolder(tmp_path)
    checkpoints.save(a_state(10), set())
    checkpoints.path(99).write_bytes(b"damaged")
    for updates in (11, 12, 13):
        checkpoints.save(a_state(updates), set())
    assert checkpoints.updates() == [12, 13, 99]


def test_whole_or_not(tmp_path):
    checkpoints = CheckpointFolder(tmp_path)
    checkpoints.save(a_state(10), set())
    checkpoints.path(20).write_bytes(checkpoints.path(10).read_bytes()[:-1])
    assert [checkpoints.is_whole(updates) for updates in (10, 20, 30)] == [True, False, False]


def test_tidying_removes_half_written_files_only(tmp_path):
    (tmp_path / ".tmpQHtNOA").touch()
    checkpoints = CheckpointFolder(tmp_path)
    checkpoints.save(a_state(10), set())
    (tmp_path / ".update-000000020.safetensors.123.tmp").touch()
    (tmp_path / "metrics.jsonl").touch()
    checkpoints.tidy()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["metrics.jsonl", "update-000000010.safetensors"]
    checkpoints.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["metrics.jsonl"]


def test_setting_aside_renames_and_overwrites_nothing(tmp_path):
    checkpoints = CheckpointFolder(tmp_path / "c")
    for updates in (10, 20, 30):
        checkpoints.save(a_state(updates), set())
        aside = checkpoints.set_aside()
        assert aside == tmp_path / f"c.old-{updates // 10}"
        assert CheckpointFolder(aside).updates() == [updates]
        assert checkpoints.updates() == []


def test_a_full_disk_leaves_the_earlier_checkpoint(tmp_path):
    checkpoints = CheckpointFolder(tmp_path)
    checkpoints.save(a_state(10), set())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))  # no file may grow beyond 100 bytes
    try:
        with pytest.raises(
            InputError, match=r"update-000000020\.safetensors: the checkpoint cannot be written .*intact"
        ):
            checkpoints.save(a_state(20), set())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [path.name for path in tmp_path.iterdir()] == ["update-000000010.safetensors"]
    assert same(newest(checkpoints)[0], a_state(10))


def test_differences_are_named():
    assert difference({"a": 1, "b": "x"}, {"b": "x", "a": 1}) is None
    assert difference({"a": 1, "b": "x", "c": 3}, {"a": 2, "b": "x", "d": 4}) == (
        "a was 1, is 2; c was 3, is None; d was None, is 4"
    )


def test_equal_states_are_equal_files_whatever_time_they_took(tmp_path):
    states = [a_state(), a_state()]
    states[1].seconds = 99.0
    for k in range(8):  # in one order of keys out of two, were there two keys
        save_state(tmp_path / f"{k}", states[k % 2])
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_a_checkpoint_of_an_earlier_version_is_read(tmp_path):
    state = a_state()
    tensors = _tensors(state)
    counters = json.dumps(state.counters() | {"seconds": 12.5})
    checksum = _checksum(counters, sorted(tensors), tensors.__getitem__)
    safetensors.torch.save_file(tensors, tmp_path / "old", {"state": counters, "checksum": checksum})
    assert same(load_state(tmp_path / "old"), state)


def test_a_checkpoint_under_the_name_of_another_is_passed_over(tmp_path):
    checkpoints = CheckpointFolder(tmp_path)
    for updates in (10, 20):
        save_state(checkpoints.path(updates), a_state(updates))
    checkpoints.path(10).rename(checkpoints.path(30))
    state, complaints = newest(checkpoints)
    assert state.updates == 20
    assert "it is the checkpoint of update 10, under the name of another one" in complaints[0]
    assert [checkpoints.is_whole(updates) for updates in (20, 30)] == [True, False]


def test_fifty_flips_anywhere(tmp_path):
    save_state(tmp_path / "x", a_state())
    good, draw = (tmp_path / "x").read_bytes(), random.Random(4)
    for _ in range(50):
        place = draw.randrange(len(good))
        (tmp_path / "x").write_bytes(good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :])
        try:
            found = load_state(tmp_path / "x")
        except InputError:
            continue
        assert same(found, a_state())  # white space that fills the header up


def test_a_saved_model_in_the_place_of_another_is_refused(tmp_path):
    counters = a_state(20).counters()
    _check_expected(tmp_path, counters, {"updates": 20, "seed": 1})
    _check_expected(tmp_path, counters, {})
    for expected in ({"updates": 30}, {"updates": 20, "seed": 2}):
        with pytest.raises(InputError, match=r"it has (updates|seed) .*, but the model that belongs here has \1"):
            _check_expected(tmp_path, counters, expected)
