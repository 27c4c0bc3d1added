"""An output that is named twice, or that is an input, is refused before anything is written."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import run_folder
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.text.outputs import check_outputs

FIT = "segment fit --method bpe --source-language en --target-language de --source-counts en --target-counts de"
CLEAN = "corpus clean --source en --target de"
JOINT = "bpe learn-joint -i en de"
TRANSLATE = "translate-units --member m --segmenter s --language de --input en"
ALIGN = "align run --source en --target de"
RUN = "--experiment mine"
REPORT = f"{RUN} --pair en-de"
TABLE = f"report table {REPORT} --test-set test"
SCORES = "results/mine/en-de/bpe/test/ensemble.json"

# Commands that write nothing where the user has something, and why.
WRITES_NOTHING = {
    "plan",
    "corpus list",
    "corpus require",
    "corpus verify",
    "segment show",
    "vocabulary show",
    "train status",
}
WRITES_NOTHING |= {"report show"}
REFUSES_WHAT_IS_THERE = {"init", "corpus download", "corpus extract", "corpus fetch"}
WRITES_FILES_OF_ITS_OWN_NAMES = {
    "encode",
    "train run",
    "train finetune",
    "train tensorboard",
    "export",
    "report attention",
}


LINES = [
    (f"{FIT} --source-segmenter a --target-segmenter ./a", "./a", "another output"),
    (f"{FIT} --source-segmenter a --target-segmenter de", "de", "an input"),
    (f"{JOINT} -o a --write-vocabulary a b", "a", "another output"),
    (f"{JOINT} -o a --write-vocabulary b b", "b", "another output"),
    (f"{JOINT} -o en --write-vocabulary a b", "en", "an input"),
    (f"{JOINT} -o a --write-vocabulary b de", "de", "an input"),
    ("bpe learn -i en -o en", "en", "an input"),
    ("bpe apply -c de -i en -o en", "en", "an input"),
    ("bpe apply -c a -i a --vocabulary de -o de", "de", "an input"),
    ("bpe vocab -i en -o en", "en", "an input"),
    ("bpe char-ngrams --vocab a -i en -o en", "en", "an input"),
    ("bpe apply -c de -i en -o de", "de", "an input"),
    ("segment apply --segmenter de --input en --output en", "en", "an input"),
    ("segment sample --segmenter de --dropout 0.1 --input en --output en", "en", "an input"),
    ("segment statistics --segmenter en --counts de --output en", "en", "an input"),
    ("segment statistics --segmenter en --counts en --text x=de --output de", "de", "an input"),
    ("vocabulary build --segmenter en --counts de --size 9 --output de", "de", "an input"),
    ("segment restore --segmenter de --input en --output de", "de", "an input"),
    ("corpus tokenise --language en --input en --output ./en", "./en", "an input"),
    ("corpus truecase --model en --input de --output de", "de", "an input"),
    ("corpus truecase --model en --input de --output en", "en", "an input"),
    ("corpus detruecase --input en --output en", "en", "an input"),
    ("corpus detokenise --language en --input en --output en", "en", "an input"),
    ("corpus sgm-to-text --input en --output en", "en", "an input"),
    ("corpus cut --source en --target de --source-shard a --target-shard de --shards 1", "de", "an input"),
    ("corpus count --input en --output en", "en", "an input"),
    ("corpus train-truecaser --input en --model en", "en", "an input"),
    (f"{CLEAN} --clean-source en --clean-target a", "en", "an input"),
    (f"{CLEAN} --clean-source a --clean-target a", "a", "another output"),
    ("corpus import --source-part en --target-part de --source a --target de", "de", "an input"),
    (f"{ALIGN} --forward a --reverse b --symmetrised de", "de", "an input"),
    ("align lexicon --source en --target de --alignment a --output de", "de", "an input"),
    ("align evaluate --alignment en --gold de --output de", "de", "an input"),
    ("copy-chosen --choice c.tc --candidate m=a --output c", "c.tc", "an input"),
    ("copy-chosen --choice c --candidate m=en --output ./en", "./en.sub", "an input"),
    ("choose --candidate m=en --output en", "en", "an input"),
    ("score --hypothesis en --reference de --json de", "de", "an input"),
    ("significance --reference en --baseline a=de --system b=de --json de", "de", "an input"),
    ("translate bundle --input en --output en", "en", "an input"),
    (f"{TRANSLATE} --words-truecaser de --text de", "de", "an input"),
    ("replace-unknown --input en --translation de --heuristic copy --member m --segmenter s --language de --text de",
     "de", "an input"),
    (f"{TABLE} --tsv a --markdown b --latex a", "a", "another output"),
    (f"{TABLE} --tsv a --markdown b --latex {SCORES}", SCORES, "an input"),
    (f"{TABLE.replace('table', 'ablation').replace('mine', 'grid')} --tsv a --markdown b --latex c --svg d --png d",
     "d", "another output"),
    (f"report oov-table {REPORT} --test-set test --tsv {SCORES} --markdown b --latex c", SCORES, "an input"),
    (f"report frequency-figure {REPORT} --test-set test --svg a --png b --tsv b", "b", "another output"),
    (f"report table1 {REPORT} --tsv a --markdown b --latex c --svg d --png d", "d", "another output"),
    (f"report learning-curves {RUN} --svg a --png a", "a", "another output"),
    (f"report html {RUN} --output results/mine/manifest.json", "results/mine/manifest.json", "an input"),
    (f"report manifest {RUN} --repository . --benchmarks b --output results/mine/config.yaml",
     "results/mine/config.yaml", "an input"),
    (f"report examples {REPORT} --json x --tsv x --markdown y --latex z", "x", "another output"),
    (f"report training {REPORT} --json x --tsv x --markdown y --latex z", "x", "another output"),
    (f"report claims {REPORT} --test-set test --json x --tsv x --markdown y --latex z", "x", "another output"),
    (f"{TRANSLATE} --units x --text x", "x", "another output"),
    (f"{TRANSLATE} --truecased en", "en", "an input"),
    (f"{TRANSLATE} --text s", "s", "an input"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "path", "role"), LINES)
def test_one_sentence(tmp_path, monkeypatch, line, path, role):
    monkeypatch.chdir(tmp_path)
    for name in ("en", "de"):
        (tmp_path / name).write_text("low 5\n", encoding="utf-8")
    run_folder.write_experiment(tmp_path)
    run_folder.write_experiment(tmp_path, "grid", grid={"system": "bpe", "merges": [1, 2]})
    before = contents(tmp_path)
    result = CliRunner().invoke(cli, line.split())
    assert isinstance(result.exception, InputError), result.output
    assert str(result.exception) == f"{path}: this output is also {role}; give each output a file of its own."
    assert contents(tmp_path) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_standard_input_and_output_are_not_one_file():
    check_outputs(["-", None, "a"], ["-", None, "b"])


def commands(group: click.Group, path: str = "") -> Iterator[str]:
    """The words that call each command below a group."""
    for name in group.list_commands(click.Context(group)):
        found = group.get_command(click.Context(group), name)
        if isinstance(found, click.Group):
            yield from commands(found, f"{path}{name} ")
        else:
            yield f"{path}{name}"


def test_every_command_is_looked_at():
    """A new command belongs into LINES, or into the group that says why it needs no check."""
    exempt = WRITES_NOTHING | REFUSES_WHAT_IS_THERE | WRITES_FILES_OF_ITS_OWN_NAMES
    unchecked = {name for name in commands(cli) if not any(line.startswith(f"{name} ") for line, *_ in LINES)}
    assert unchecked == exempt
