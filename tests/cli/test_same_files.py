"""An output that is named twice, or that is an input, is refused before anything is written."""

import pytest
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.textio import check_distinct

FIT = "segment fit --method bpe --source-language en --target-language de --source-counts en --target-counts de"
CLEAN = "corpus clean --source en --target de"
JOINT = "bpe learn-joint -i en de"
TRANSLATE = "translate-units --member m --segmenter s --language de --input en"


@pytest.mark.parametrize(
    ("line", "path", "role"),
    [
        (f"{FIT} --source-segmenter a --target-segmenter ./a", "./a", "another output"),
        (f"{FIT} --source-segmenter a --target-segmenter de", "de", "an input"),
        (f"{JOINT} -o a --write-vocabulary a b", "a", "another output"),
        (f"{JOINT} -o a --write-vocabulary b b", "b", "another output"),
        (f"{JOINT} -o en --write-vocabulary a b", "en", "an input"),
        (f"{JOINT} -o a --write-vocabulary b de", "de", "an input"),
        ("bpe learn -i en -o en", "en", "an input"),
        ("bpe apply -c de -i en -o en", "en", "an input"),
        ("bpe apply -c de -i en -o de", "de", "an input"),
        ("segment apply --segmenter de --input en --output en", "en", "an input"),
        ("segment restore --segmenter de --input en --output de", "de", "an input"),
        ("corpus tokenise --language en --input en --output ./en", "./en", "an input"),
        ("corpus count --input en --output en", "en", "an input"),
        ("corpus train-truecaser --input en --model en", "en", "an input"),
        (f"{CLEAN} --clean-source en --clean-target a", "en", "an input"),
        (f"{CLEAN} --clean-source a --clean-target a", "a", "another output"),
        ("corpus import --source-part en --target-part de --source a --target de", "de", "an input"),
        (f"{TRANSLATE} --units x --text x", "x", "another output"),
        (f"{TRANSLATE} --truecased en", "en", "an input"),
        (f"{TRANSLATE} --text s", "s", "an input"),
    ],
)
def test_one_sentence(tmp_path, monkeypatch, line, path, role):
    monkeypatch.chdir(tmp_path)
    for name in ("en", "de"):
        (tmp_path / name).write_text("low 5\n", encoding="utf-8")
    result = CliRunner().invoke(cli, line.split())
    assert isinstance(result.exception, InputError), result.output
    assert str(result.exception) == f"{path}: this output is also {role}; give each output a file of its own."
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == dict.fromkeys(
        ("en", "de"), "low 5\n"
    )


def test_standard_input_and_output_are_not_one_file():
    check_distinct(["-", None, "a"], ["-", None, "b"])
