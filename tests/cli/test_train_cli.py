"""`rarewords train` as a user runs it: help, mistakes, and a training from files to a translation."""

import errno
import json
import os
import sys
from itertools import pairwise

import pytest

from rarewords.cli import main

FILES = {
    "train.en": "a b\nb a b\nb\n",
    "train.de": "x\ny x\nx x\n",
    "vocabulary.en": "b 4\na 2\n",
    "vocabulary.de": "x 4\ny 1\n",
    "empty": "",
    "short": "x\n",
    "blank.en": "\n\n\n",
    "latin1": b"caf\xe9\nb\nb\n",
    "no-vocabulary": "x y z\n",
}
TEXT = {"--source": "train.en", "--target": "train.de"} | {
    f"--{side}-vocabulary": f"vocabulary.{language}" for side, language in (("source", "en"), ("target", "de"))
}
DATA = {"--data": "pairs"}
RUN = {"--embedding": "4", "--hidden": "6", "--updates": "3", "--save-every": "1", "--saved": "saved"}
COMMON = {"--checkpoints": "run/checkpoints", "--device": "cpu"}


@pytest.fixture
def rarewords(tmp_path, monkeypatch, capsys):
    """Run a command in a folder with FILES and encoded `pairs`; returns exit code, standard output and error."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments):
        monkeypatch.setattr(sys, "argv", ["rarewords", *arguments])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        return code, *capsys.readouterr()

    assert invoke("encode", *arguments({**TEXT, "--output": "pairs"})) == (0, "", "pairs: 3 pairs\n")
    return invoke


def arguments(*parts):
    return [text for part in parts for pair in part.items() for text in pair]


def run(**changes):
    options = {f"--{name.replace('_', '-')}": value for name, value in changes.items()}
    return ["train", "run", *arguments({**DATA, **RUN, **COMMON, **options})]


@pytest.mark.parametrize("command", [[], ["run"], ["finetune"], ["status"], ["tensorboard"]])
def test_help_reads_like_a_manual(rarewords, command):
    code, out, errors = rarewords("train", *command, "--help")
    assert (code, errors) == (0, "")
    assert out.startswith("Usage: rarewords train")
    lines = out.splitlines()
    options = [line for line in lines if line.startswith("  --")]
    # each with a text, beside it or below
    texts = [line.split()[2:] or after.startswith(" " * 20) for line, after in pairwise(lines) if line in options]
    assert all(texts)
    if command in (["run"], ["finetune"]):
        assert {line.split()[0] for line in options} >= {"--data", "--checkpoints", "--set-aside-changed", "--device"}


@pytest.mark.parametrize("name", ["updates", "save_every"])  # the sizes of the network are the paper's
def test_what_has_no_default_must_be_given(rarewords, name):
    flag = "--" + name.replace("_", "-")
    given = {option: value for option, value in RUN.items() if option != flag}
    code, out, errors = rarewords("train", "run", *arguments(DATA, given, COMMON))
    assert (code, out) == (2, "")
    assert f"Missing option '{flag}'" in errors


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"data": "absent"}, "absent/pairs.json: cannot be read (No such file or directory)."),
        ({"max_length": "1"}, "pairs: no pair has 1 to 1 units on both sides (3 skipped); raise training.max_length"),
        ({"threads": "100000"}, "threads: 100000 were requested, but this machine has "),
        ({"saved": "."}, ".: cannot be written (it is a folder); "),
        ({"saved": "short/saved"}, "short/saved: cannot be written ("),
        ({"saved": "/proc/saved"}, "/proc/saved: cannot be written (/proc: "),
        ({"device": "cuda:99"}, "device: cuda:99 was requested, but torch sees no such GPU; "),
        ({"device": "tpu"}, "device: 'tpu' is not a known device; "),
    ],
)
def test_a_mistake_in_the_input_is_one_sentence(rarewords, tmp_path, changes, complaint):
    code, out, errors = rarewords(*run(**changes))
    assert (code, out) == (2, "")
    assert errors.startswith(f"rarewords: {complaint}")
    assert errors.count("\n") == 1
    assert not (tmp_path / "saved").exists()
    assert not list((tmp_path / "run").rglob("*.safetensors"))


def test_too_few_updates_for_the_saved_models_are_refused(rarewords):
    assert rarewords(*run(updates="3", save_every="3"), "--saved", "saved2") == (
        2,
        "",
        "rarewords: training.updates: 3 updates cannot hold 2 saved models 3 updates apart; "
        "train longer, or save fewer models or more often.\n",
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"hidden": "5"}, {"updates": "0"}, {"batch_size": "0"}, {"clip_norm": "0"}, {"init_std": "-1"}, {"seed": "-1"},
        {"max_length": "0"}, {"threads": "0"}, {"updates": "many"}, {"embeding": "4"},
        {"clip_norm": "nan"}, {"clip_norm": "inf"}, {"init_std": "nan"}, {"init_std": "inf"},
    ],
)  # fmt: skip
def test_a_value_out_of_range_is_refused(rarewords, changes):
    code, _, errors = rarewords(*run(**changes))
    assert code == 2
    assert "Error: " in errors
    assert f"--{next(iter(changes)).replace('_', '-')}" in errors.splitlines()[-1]


def test_train_continue_translate_and_status(rarewords, tmp_path):
    code, _, errors = rarewords(*run(), "--label", "demo")
    assert code == 0, errors
    assert "demo: 3 pairs, 0 longer than 50 units skipped\n" in errors
    assert "demo: update 3/3 (100%)  epoch 4  loss/token " in errors
    member = {"--saved": "saved", "--updates": "2", "--member": "member1", "--checkpoints": "member1/checkpoints"}
    code, _, errors = rarewords("train", "finetune", *arguments({**DATA, **member, "--device": "cpu"}))
    assert code == 0, errors
    description = json.loads((tmp_path / "member1" / "model.json").read_text(encoding="utf-8"))["training"]
    assert (description["updates"], description["fixed_embedding_updates"]) == (3, 2)

    code, out, errors = rarewords("train", "status", ".")
    assert (code, errors) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert lines[0][:2] == ["training", "updates"]
    assert [line[:2] + line[-1:] for line in lines[1:]] == [["member1", "5/5", "done"], ["run", "3/3", "done"]]

    assert rarewords("train", "status", "absent")[::2] == (
        2,
        "rarewords: absent: there is no such folder; give the folder of the models.\n",
    )


def test_only_a_saved_model_of_the_same_data_is_continued(rarewords):
    assert rarewords(*run())[0] == 0
    assert rarewords("encode", *arguments({**TEXT, "--source": "train.de", "--output": "others"}))[0] == 0
    member = {"--updates": "2", "--member": "member1", "--checkpoints": "member1/checkpoints", "--device": "cpu"}
    for changes, complaint in [
        ({"--saved": "absent"}, "absent: not a complete checkpoint"),
        ({"--saved": "train.en"}, "train.en: not a complete checkpoint"),
        ({"--saved": "saved", "--data": "others"}, "saved is from another training run (source was "),
    ]:
        code, _, errors = rarewords("train", "finetune", *arguments({**DATA, **member, **changes}))
        assert code == 2
        assert errors.startswith(f"rarewords: {complaint}")
        assert errors.count("\n") == 1


def test_a_full_disk_is_one_sentence_and_loses_nothing(rarewords, tmp_path):
    import resource

    assert rarewords(*run())[0] == 0
    before = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        code, _, errors = rarewords(*run(updates="4"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert code == 2
    assert "update-000000004.safetensors: the checkpoint cannot be written" in errors.splitlines()[-1]
    assert sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir()) == before
    assert rarewords(*run(updates="4"))[0] == 0


def test_a_checkpoint_folder_that_cannot_be_written_is_one_sentence(rarewords, tmp_path):
    (tmp_path / "file").touch()
    code, _, errors = rarewords(*run(checkpoints="file/checkpoints"))
    assert code == 2
    place = tmp_path / "file"
    assert errors == f"rarewords: file/checkpoints: cannot be written ({place} is not a folder); name another place.\n"


def test_a_saved_model_named_twice_is_refused_before_the_training(rarewords, tmp_path):
    code, _, errors = rarewords(*run(saved="out/saved"), "--saved", "out/../out/saved")
    assert code == 2
    assert errors == (
        "rarewords: out/../out/saved: this output is also another output; give each output a file of its own.\n"
    )
    assert not (tmp_path / "run").exists()


def test_a_member_that_cannot_be_written_is_refused_before_the_training(rarewords, tmp_path):
    member = {"--saved": "saved", "--updates": "2", "--member": "short", "--checkpoints": "run", "--device": "cpu"}
    code, _, errors = rarewords("train", "finetune", *arguments({**DATA, **member}))
    assert code == 2
    place = tmp_path / "short"
    assert errors == f"rarewords: short: cannot be written ({place} is not a folder); name another place.\n"
    assert not (tmp_path / "run").exists()


def test_a_full_disk_at_the_saved_model_names_it_and_leaves_nothing_half_written(rarewords, tmp_path, monkeypatch):
    def copyfile(_source, destination):
        destination.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(_source))

    def link(_source, _destination):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    with monkeypatch.context() as patched:
        patched.setattr("rarewords.training.outputs.shutil.copyfile", copyfile)
        patched.setattr("rarewords.training.outputs.os.link", link)
        code, _, errors = rarewords(*run(saved="out/saved"))
    assert code == 2
    assert errors.splitlines()[-1] == (
        "rarewords: out/saved: cannot be written (No space left on device); the training run is done and its "
        "checkpoints are intact; solve the problem (for example, make room) and start again."
    )
    assert list((tmp_path / "out").iterdir()) == []
    assert rarewords(*run(saved="out/saved"))[0] == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["saved"]
