"""An output that cannot be written is noticed before the work begins: the inputs here cannot even be read."""

import os
from pathlib import Path

import pytest
import run_folder
from click.testing import CliRunner
from test_same_files import WRITES_NOTHING, commands

from rarewords.cli import cli
from rarewords.errors import InputError

FIT = "segment fit --method bpe --source-language en --target-language de --source-counts x --target-counts x"
REPOSITORY = Path(__file__).parents[2]
UNITS = "--member x --segmenter x --language de"
REPORT = "--experiment mine --pair en-de"
TABLE = f"{REPORT} --test-set test"

# A command for each output option; {} is the output.
FILES = [
    "init t.en t.de --name new --output {}",
    f"{FIT} --source-segmenter {{}} --target-segmenter a",
    f"{FIT} --source-segmenter a --target-segmenter {{}}",
    "segment apply --segmenter x --input x --output {}",
    "segment sample --segmenter x --dropout 0.1 --input x --output {}",
    "segment restore --segmenter x --input x --output {}",
    "segment statistics --segmenter x --counts x --output {}",
    "vocabulary build --segmenter x --counts x --size 9 --output {}",
    "bpe learn -i x -o {}",
    "bpe apply -c x -i x -o {}",
    "bpe vocab -i x -o {}",
    "bpe char-ngrams --vocab x -i x -o {}",
    "bpe learn-joint -i x x -o {} --write-vocabulary a b",
    "bpe learn-joint -i x x -o a --write-vocabulary b {}",
    "corpus import --source-part x --target-part x --source {} --target a",
    "corpus import --source-part x --target-part x --source a --target {}",
    "corpus tokenise --language en --input x --output {}",
    "corpus detokenise --language en --input x --output {}",
    "corpus truecase --model x --input x --output {}",
    "corpus detruecase --input x --output {}",
    "corpus train-truecaser --input x --model {}",
    "corpus count --input x --output {}",
    "corpus sgm-to-text --input x --output {}",
    "corpus clean --source x --target x --clean-source {} --clean-target a",
    "corpus clean --source x --target x --clean-source a --clean-target {}",
    "corpus cut --source x --target x --shards 1 --source-shard {} --target-shard a",
    "corpus cut --source x --target x --shards 1 --source-shard a --target-shard {}",
    "corpus download --url http://localhost:1/x --lock a --output {}",
    "corpus download --url http://localhost:1/x --lock {} --output a",
    "corpus extract --archive x --member x --language en --lock a --output {}",
    "align run --source x --target x --forward {} --reverse a --symmetrised b",
    "align run --source x --target x --forward a --reverse {} --symmetrised b",
    "align run --source x --target x --forward a --reverse b --symmetrised {}",
    "align lexicon --source x --target x --alignment x --output {}",
    "align evaluate --alignment x --gold x --output {}",
    "train run --data x --embedding 2 --hidden 2 --clip-norm 1 --updates 2 --save-every 1 --checkpoints c --saved {}",
    "translate x --input x --output {}",
    "translate x --input x --alignments {}",
    f"translate-units {UNITS} --input x --units {{}}",
    f"translate-units {UNITS} --input x --truecased {{}}",
    f"translate-units {UNITS} --input x --text {{}}",
    f"replace-unknown {UNITS} --input x --translation x --heuristic copy --units {{}}",
    f"replace-unknown {UNITS} --input x --translation x --heuristic copy --truecased {{}}",
    f"replace-unknown {UNITS} --input x --translation x --heuristic copy --text {{}}",
    "choose --candidate m=x --output {}",
    "score --hypothesis x --reference x --json {}",
    "significance --reference x --baseline a=x --system b=x --json {}",
    *(
        f"report {command} {' '.join(f'--{name} {{}}' if name == bad else f'--{name} {name}' for name in names)}"
        for command, names in {
            f"table {TABLE}": ["tsv", "markdown", "latex", "json", "svg", "png"],
            f"oov-table {TABLE}": ["tsv", "markdown", "latex", "json"],
            f"ablation {TABLE.replace('mine', 'grid')}": ["tsv", "markdown", "latex", "json", "svg", "png"],
            f"claims {TABLE}": ["tsv", "markdown", "latex", "json"],
            f"frequency-figure {TABLE}": ["svg", "png", "tsv"],
            f"table1 {REPORT}": ["tsv", "markdown", "latex", "json", "svg", "png"],
            f"training {REPORT}": ["tsv", "markdown", "latex", "json"],
            f"examples {REPORT}": ["json", "tsv", "markdown", "latex"],
            "learning-curves --experiment mine": ["svg", "png"],
            "html --experiment mine": ["output"],
            "manifest --experiment mine --repository . --benchmarks b": ["output"],
        }.items()
        for bad in names
    ),
]  # fmt: skip
STEMS = ["copy-chosen --choice x --candidate m=x --output {}"]
FOLDERS = [
    "encode --source x --target x --source-vocabulary x --target-vocabulary x --output {}",
    "train run --data x --embedding 2 --hidden 2 --clip-norm 1 --updates 2 --save-every 1 --checkpoints {} --saved a",
    "train finetune --data x --saved x --updates 1 --checkpoints c --member {}",
    "train tensorboard x --output {}",
    "report attention --experiment mine --pair en-de --system bpe --folder {}",
    "init t.en t.de --name new --text {}",
    f"corpus fetch multi30k --config {REPOSITORY}/config/corpora.yaml --into {{}}",
    f"export --source-language en --target-language de {'--member x --source-segmenter x --target-segmenter x'} "
    "--truecaser x --output {}",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("t.en", "t.de"):
        (tmp_path / name).write_text("low\n" * 2, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("mine\n", encoding="utf-8")
    run_folder.write_experiment(tmp_path)
    run_folder.write_experiment(tmp_path, "grid", grid={"system": "bpe", "merges": [1, 2]})
    return tmp_path


def message(line):
    result = CliRunner().invoke(cli, line.split())
    assert isinstance(result.exception, InputError), result.output
    return str(result.exception)


@pytest.mark.parametrize("line", FILES)
def test_a_folder_in_its_place(folder, line):
    if line.startswith("init"):
        assert message(line.format("folder")).startswith("folder already exists; ")
    else:
        assert message(line.format("folder")) == "folder: cannot be written (it is a folder); name a file."


@pytest.mark.parametrize("line", [*FILES, *STEMS])
def test_a_folder_above_that_cannot_be_made(folder, line):
    before = sorted(folder.rglob("*"))
    suffix = ".sub" if line in STEMS else ""
    assert message(line.format("file/out")) == (
        f"file/out{suffix}: cannot be written ({folder}/file is not a folder); name another place."
    )
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("line", FOLDERS)
def test_a_folder_that_cannot_be_made(folder, line):
    if line.startswith("export"):  # makes the folder at once
        assert message(line.format("file/out")) == "file/out: cannot be written (Not a directory)."
    else:
        named = "file/out/train.en" if line.startswith("init") else "file/out"
        assert message(line.format("file/out")) == (
            f"{named}: cannot be written ({folder}/file is not a folder); name another place."
        )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(folder):
    (folder / "folder").chmod(0o500)
    assert "(Permission denied)" in message("bpe learn -i x -o folder/out")


@pytest.mark.parametrize(
    "line", ["bpe learn -i t.en -o new/deep/out", "corpus count --input t.en --output new/deep/out"]
)
def test_folders_are_made(folder, line):
    assert CliRunner().invoke(cli, line.split()).exit_code == 0
    assert (folder / "new/deep/out").is_file()


def test_every_command_is_looked_at():
    lines = [*FILES, *STEMS, *FOLDERS]
    unchecked = {name for name in commands(cli) if not any(line.startswith(f"{name} ") for line in lines)}
    assert unchecked == WRITES_NOTHING
