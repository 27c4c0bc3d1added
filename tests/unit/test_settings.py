"""Settings, their defaults and the options that are made from them."""

from __future__ import annotations

from dataclasses import asdict, fields

import click
import pytest
from click.testing import CliRunner

from rarewords.cli.settings_options import options_of, renamed, settings_of
from rarewords.schema import default, key_rules, schema
from rarewords.settings import TrainingLength, TrainingSettings, as_options, completed

SETTINGS = TrainingSettings(embedding=4, hidden=6, clip_norm=1.0, seed=3)


def test_what_is_not_said_is_the_schemas_default():
    training = schema()["properties"]["training"]["properties"]
    assert SETTINGS.batch_size == training["batch_size"]["default"] == 80
    assert (SETTINGS.init_std, SETTINGS.max_length, SETTINGS.source_blocks) == (0.01, 50, 0)
    assert (SETTINGS.precision, SETTINGS.partition_vocabulary) == ("float32", None)
    assert TrainingLength(updates=3, save_every=1).patience is None


def test_a_key_has_what_its_definition_says_and_what_stands_beside_that():
    assert key_rules("training.max_length") == {
        "type": "integer", "minimum": 1, "default": 50, "description": "longest side of a training pair in units"
    }  # fmt: skip
    assert key_rules("training.clip_norms.items")["exclusiveMinimum"] == 0
    assert default("decoding.beam") == 12


def test_every_field_of_settings_is_a_key_of_the_configuration_under_its_name():
    for settings in (TrainingSettings, TrainingLength):
        for one in fields(settings):
            if one.name != "seed":  # derived from experiment.seed
                key = one.metadata["key"]
                assert key_rules(key)["description"]
                assert key.endswith(f".{one.name}") or key == f"training.{one.name}s.items"


def test_a_fingerprint_of_an_earlier_version_is_that_of_the_same_settings():
    now = asdict(SETTINGS) | {"source": "a1"}
    old = {"deviation": 0.01, "cutoff": 1.0, "batch_size": 80, "max_length": 50, "embedding": 4, "hidden": 6, "seed": 3}
    assert completed(old | {"source": "a1"}) == now
    assert TrainingSettings.of_fingerprint(old | {"source": "a1"}) == SETTINGS
    assert completed(old | {"loaded_vocabulary": 7})["partition_vocabulary"] == 7


def test_settings_are_options_and_back():
    settings = TrainingSettings(embedding=4, hidden=6, clip_norm=2.5, seed=3, partition_vocabulary=9, init_std=0.1)
    length = TrainingLength(updates=7, save_every=2, hours=1.5)
    made = []

    @click.command()
    @options_of(TrainingSettings)
    @options_of(TrainingLength)
    @click.option("--seed", type=int)
    def command(**values: object) -> None:
        made.extend([settings_of(TrainingSettings, values), settings_of(TrainingLength, values)])

    result = CliRunner().invoke(command, [*as_options(settings), *as_options(length)])
    assert (result.exit_code, result.output) == (0, "")
    assert made == [settings, length]


@pytest.mark.parametrize("argument", [["--old-one", "5"], ["--old-one=5"]])
def test_an_old_option_works_and_is_told_once(argument):
    @click.command(cls=renamed({"--old-one": "--new-one"}))
    @click.option("--new-one", type=int)
    def command(new_one: int) -> None:
        click.echo(f"got {new_one}")

    result = CliRunner().invoke(command, argument)
    assert result.stdout == "got 5\n"
    assert result.stderr == "warning: --old-one is now called --new-one; please use that, the old name still works.\n"
    assert CliRunner().invoke(command, ["--new-one=5"]).stderr == ""
