"""A training that was interrupted, however rudely, ends as if it had not been: the same weights, bit for bit."""

from __future__ import annotations

import shutil
import signal

import pytest
import torch

from rarewords.model.parameters import VOCABULARY_SIZED
from rarewords.training.checkpoint import load_state

TEMPORARY_FAILURE = 75


def updates_once(training, where):
    """Every update is in exactly one report: reports ascend, and end with the last update."""
    updates = [report["updates"] for report in training.reports(where)]
    return updates == sorted(set(updates)) and updates


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1, signal.SIGINT])
def test_a_signal_makes_a_checkpoint_and_the_same_command_goes_on(training, number):
    where = number.name
    code, errors = training.interrupt(training.run_command(where, updates=100_000), number)
    assert code == TEMPORARY_FAILURE, errors
    assert "stopped by a signal after update" in errors
    reached = training.reported(f"{where}/checkpoints")
    assert reached > 0
    assert not (training.folder / where / "saved1").exists()

    code, errors = training.finish(training.run_command(where, updates=max(40, reached + 10)))
    assert code == 0, errors
    assert f"continuing from update {reached:,} " in errors


def test_stopped_and_continued_equals_uninterrupted(training):
    for updates in (14, 23, 37):  # the points in between are checkpoints that are not saved models of the end
        assert training.finish(training.run_command("pieces", updates))[0] == 0
    assert training.finish(training.run_command("pieces"))[0] == 0
    for saved in ("saved1", "saved2"):
        assert training.same_state(f"pieces/{saved}", f"whole/{saved}")
    assert load_state(training.folder / "whole/saved2").updates == 40
    assert load_state(training.folder / "whole/saved1").updates == 30


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_moments_equals_uninterrupted(training, kills):
    updates = 60 * kills
    whole, where = f"whole-{updates}", f"killed-{updates}"
    assert training.finish(training.run_command(whole, updates))[0] == 0
    errors = training.killed_again_and_again(training.run_command(where, updates), kills, seed=kills)
    assert "continuing from update" in errors
    for saved in ("saved1", "saved2"):
        assert training.same_state(f"{where}/{saved}", f"{whole}/{saved}")
    assert updates_once(training, f"{where}/checkpoints")[-1] == updates
    assert not list((training.folder / where / "checkpoints").glob(".*"))


@pytest.mark.parametrize(
    ("name", "options", "variables", "told"),
    [
        ("bfloat16", ["--precision=bfloat16"], {}, "float32 products: "),
        ("blas", [], {"RAREWORDS_PRODUCTS": "blas"}, "float32 products: blas\n"),
    ],
)
def test_killed_with_other_products_equals_uninterrupted(training, monkeypatch, name, options, variables, told):
    monkeypatch.setattr(training, "variables", variables)
    assert training.finish(training.run_command(f"{name}-whole", 60, *options))[0] == 0
    command = training.run_command(f"{name}-killed", 60, *options)
    errors = training.killed_again_and_again(command, kills=2, seed=8)
    assert "continuing from update" in errors
    assert told in errors
    for saved in ("saved1", "saved2"):
        assert training.same_state(f"{name}-killed/{saved}", f"{name}-whole/{saved}")


def test_a_damaged_newest_checkpoint_gives_way_to_the_one_before(training):
    where = training.folder / "damaged" / "checkpoints"
    shutil.copytree(training.folder / "whole", where.parent)
    (where / "update-000000040.safetensors").write_bytes(b"\0" * 1000)
    (where / ".update-000000050.safetensors.1234.tmp").touch()  # of a process that was killed while it wrote
    code, errors = training.finish(training.run_command("damaged"))
    assert code == 0
    assert "update-000000040.safetensors: not a complete checkpoint" in errors
    assert "continuing from update 30 " in errors
    assert training.same_state("damaged/saved2", "whole/saved2")
    assert updates_once(training, "damaged/checkpoints")[-1] == 40
    assert not list(where.glob(".*"))


def test_a_damaged_saved_model_is_made_again(training):
    """Not the newest checkpoint but a wanted one is damaged: it must not be handed out."""
    where = training.folder / "older" / "checkpoints"
    shutil.copytree(training.folder / "whole", where.parent)
    path = where / "update-000000030.safetensors"
    path.write_bytes(path.read_bytes()[:-9])
    code, errors = training.finish(training.run_command("older"))
    assert code == 0
    assert "the model after 30 updates was not kept: making it again" in errors
    assert "no checkpoint can be used: starting again from update 0" in errors
    for saved in ("saved1", "saved2"):
        assert training.same_state(f"older/{saved}", f"whole/{saved}")
    assert updates_once(training, "older/checkpoints")[-1] == 40


@pytest.fixture
def finished(training, request):
    """A copy of the finished training, by the name of the test."""
    shutil.copytree(training.folder / "whole", training.folder / request.node.name)
    return request.node.name


def test_a_finished_training_does_nothing_more(training, finished):
    folder = training.folder / finished

    def listing():
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))

    before, files = training.reports(f"{finished}/checkpoints"), listing()
    for _ in range(2):  # the copy's saved models are files of their own first, and links to the checkpoints then
        code, errors = training.finish(training.run_command(finished))
        assert code == 0
        assert "continuing from update 40 " in errors
        assert training.reports(f"{finished}/checkpoints") == before
        assert listing() == files


def test_fewer_updates_whose_model_is_there_make_nothing_again(training, finished):
    command = [argument for argument in training.run_command(finished, updates=30) if "saved1" not in argument]
    code, errors = training.finish(command)
    assert code == 0
    assert "continuing from update 30 " in errors
    assert "was not kept" not in errors
    assert load_state(training.folder / finished / "saved2").updates == 30


def test_more_updates_go_on_from_the_end(training, finished):
    code, errors = training.finish(training.run_command(finished, updates=60))
    assert code == 0
    assert "continuing from update 40 " in errors
    assert load_state(training.folder / finished / "saved2").updates == 60
    assert load_state(training.folder / finished / "saved1").updates == 50
    assert updates_once(training, f"{finished}/checkpoints")[-1] == 60


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ("--clip-norm=6", "clip_norm was 5.0, is 6.0"),
        ("--seed=2", "seed was 1, is 2"),
        ("--batch-size=5", "batch_size was 4, is 5"),
    ],
)
@pytest.mark.parametrize(
    "updates", [40, 20]
)  # 20: no checkpoint is early enough, but they are still of another training
def test_a_changed_setting_is_refused_by_name(training, change, difference, updates):
    code, errors = training.finish(training.run_command("whole", updates, change))
    assert code == 2
    assert errors.splitlines()[-1] == (
        f"rarewords: whole/checkpoints holds checkpoints of another training run ({difference}); "
        "remove or rename the folder, or give another one."
    )
    assert load_state(training.folder / "whole/checkpoints/update-000000040.safetensors").updates == 40


@pytest.mark.parametrize("name", ["train.de", "vocabulary.en"])
def test_changed_data_are_refused_by_name(training, name):
    path = training.folder / name
    before = path.read_text()
    path.write_text(before.replace("a 9", "a 8") if name == "vocabulary.en" else before.replace("A", "Z"))
    try:
        training.encode()
        code, errors = training.finish(training.run_command("whole"))
    finally:
        path.write_text(before)
        training.encode()
    assert code == 2
    assert {"train.de": "target was ", "vocabulary.en": "source_vocabulary was "}[name] in errors.splitlines()[-1]


def test_a_changed_training_can_set_the_old_checkpoints_aside(training, finished):
    code, errors = training.finish(training.run_command(finished, 20, "--clip-norm=6", "--set-aside-changed"))
    assert code == 0
    assert f"(clip_norm was 5.0, is 6.0): kept as {finished}/checkpoints.old-1" in errors
    old = f"{finished}/checkpoints.old-1"
    assert training.same_state(f"{old}/update-000000040.safetensors", "whole/saved2")
    assert training.reports(old) == training.reports("whole/checkpoints")
    new = load_state(training.folder / finished / "saved2")
    assert (new.updates, new.fingerprint["clip_norm"]) == (20, 6.0)
    assert updates_once(training, f"{finished}/checkpoints")[-1] == 20


def test_a_second_process_on_the_folder_stops(training):
    command = training.run_command("busy", updates=100_000)
    first = training.start(command)
    training.wait_for_update(first, command, 0)
    code, errors = training.finish(command)
    first.kill()
    first.join()
    assert code == 2
    assert errors.startswith(
        f"rarewords: busy/checkpoints is in use by another training run (process {first.pid} on host "
    )


def test_fixed_embeddings_freeze_exactly_the_four_vocabulary_sized_tensors(training):
    before = load_state(training.folder / "whole/saved2")
    after = training.member_weights("member")
    unchanged = {name for name, value in before.parameters.items() if torch.equal(after[name], value)}
    assert unchanged == set(VOCABULARY_SIZED)


def test_the_continuation_is_resumable_and_leaves_its_metrics(training):
    command = training.finetune_command("whole/saved2", "member2", updates=100_000)
    code, errors = training.interrupt(command, signal.SIGTERM, after_updates=40)
    assert code == TEMPORARY_FAILURE, errors
    assert not (training.folder / "member2" / "model.json").exists()
    reached = training.reported("member2/checkpoints")
    assert reached > 40
    updates = reached - 40 + 20
    code, errors = training.finish(training.finetune_command("whole/saved2", "member2", updates=updates))
    assert code == 0, errors
    assert f"continuing from update {reached:,} " in errors
    assert training.finish(training.finetune_command("whole/saved2", "member3", updates=updates))[0] == 0
    interrupted, whole = training.member_weights("member2"), training.member_weights("member3")
    assert all(torch.equal(interrupted[name], whole[name]) for name in whole)
    assert updates_once(training, "member2/checkpoints")[-1] == 40 + updates
    assert [path.name for path in (training.folder / "member2/checkpoints").iterdir()] == ["metrics.jsonl"]


def test_a_continuation_killed_at_random_moments_equals_uninterrupted(training):
    command = training.finetune_command("whole/saved1", "member4", updates=150)
    training.killed_again_and_again(command, kills=2, seed=9)
    assert training.finish(training.finetune_command("whole/saved1", "member5", updates=150))[0] == 0
    killed, whole = training.member_weights("member4"), training.member_weights("member5")
    assert all(torch.equal(killed[name], whole[name]) for name in whole)


def test_a_continuation_whose_checkpoints_are_all_damaged_begins_again_at_the_saved_model(training):
    command = training.finetune_command("whole/saved2", "member7", updates=100_000)
    code, errors = training.interrupt(command, signal.SIGTERM, after_updates=40)
    assert code == TEMPORARY_FAILURE, errors
    for path in (training.folder / "member7/checkpoints").glob("update-*"):
        path.write_bytes(b"damaged")
    code, errors = training.finish(training.finetune_command("whole/saved2", "member7"))
    assert code == 0, errors
    assert "no checkpoint can be used: starting again from update 40\n" in errors
    assert "update 60/60 (20 of 20, 100%)" in errors
    again, whole = training.member_weights("member7"), training.member_weights("member")
    assert all(torch.equal(again[name], whole[name]) for name in whole)
    assert training.reports("member7/checkpoints")[0]["updates"] <= 43


def test_a_continuation_of_another_model_is_refused(training):
    command = training.finetune_command("whole/saved2", "member6", updates=100_000)
    code, errors = training.interrupt(command, signal.SIGTERM, after_updates=40)
    assert code == TEMPORARY_FAILURE, errors
    code, errors = training.finish(training.finetune_command("whole/saved1", "member6", updates=20))
    assert code == 2, errors
    assert "member6/checkpoints holds checkpoints of another training run (continued_from was 40 updates of" in errors
