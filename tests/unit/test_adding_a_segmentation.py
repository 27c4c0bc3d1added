"""docs/adding-a-segmentation.md, followed to the letter: its class and its entry point, in a package of its own."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rarewords.errors import InputError
from rarewords.schema import schema
from rarewords.segmentation import registry

DOCUMENT = (Path(__file__).parents[2] / "docs/adding-a-segmentation.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    return re.search(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)[1]


def install(folder: Path, program: str, entry: str) -> None:
    """What an installer leaves in a folder of packages."""
    (folder / "halves_segmentation.py").write_text(program, encoding="utf-8")
    information = folder / "halves_segmentation-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: halves-segmentation\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[rarewords.segmentations]\n{entry}\n")


@pytest.fixture
def entry() -> str:
    points = tomllib.loads(block("toml"))["project"]["entry-points"]["rarewords.segmentations"]
    return "\n".join(f"{name} = {value}" for name, value in points.items())


@pytest.fixture
def installed(tmp_path, monkeypatch, entry):
    install(tmp_path, block("python"), entry)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("halves_segmentation", None)


def test_the_command_line_knows_it(tmp_path, entry):
    install(tmp_path, block("python"), entry)
    (tmp_path / "en.counts").write_text("low 5\nlowest 2\n")

    def run(*arguments: str, text: str = "") -> str:
        program = [sys.executable, "-c", "from rarewords.cli import main; main()", *arguments]
        path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
        environment = os.environ | {"PYTHONPATH": path}
        done = subprocess.run(program, input=text, capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    sides = [
        word
        for side in ("source", "target")
        for word in (f"--{side}-language=en", f"--{side}-counts=en.counts", f"--{side}-segmenter={side}.json")
    ]
    run("segment", "fit", "--method=halves", '--settings={"whole": 1}', *sides)
    stored = json.loads((tmp_path / "target.json").read_text(encoding="utf-8"))
    assert (stored["method"], stored["settings"], stored["data"]) == ("halves", {"whole": 1}, ["low"])
    units = run("segment", "apply", "--segmenter=target.json", text="low lowest x@@\n")
    assert units == "low low@@ est x@@@ @\n"
    assert run("segment", "restore", "--segmenter=target.json", text=units) == "low lowest x@@\n"


@pytest.mark.usefixtures("installed")
def test_it_keeps_the_promises():
    segmenter = registry.create("halves", {}, [{"low": 5}], ["en"])[0]

    @given(st.lists(st.text(st.characters(exclude_characters=" ", exclude_categories=["Cs"]))))
    def restores(words):
        assert segmenter.restore(segmenter.segment(words)) == words

    restores()
    with pytest.raises(InputError, match="segmentation halves: unknown setting 'whoel'; did you mean 'whole'"):
        registry.create("halves", {"whoel": 1}, [{"low": 5}], ["en"])


@pytest.mark.usefixtures("installed")
def test_it_is_among_the_known_ones():
    with pytest.raises(InputError, match=r"did you mean 'halves'"):
        registry.find("halvs")


def test_its_system_fits_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    rules = schema()["properties"]["systems"] | {"$defs": schema()["$defs"]}
    jsonschema.validate(yaml.safe_load(block("yaml"))["systems"], rules)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("halves = halves_segmentation:Halves", "cannot be loaded from halves_segmentation:Halves"),
        ("halves = no_such_module:Halves", "cannot be loaded"),
        ("halves = halves_segmentation:checks", "must lead to a subclass of Segmenter with the method 'halves'"),
        ("halves = rarewords.segmentation.words:WordSegmenter", "must lead to a subclass .* with the method 'halves'"),
    ],
)
def test_wrong_entry_points(wrong, complaint, tmp_path, monkeypatch):
    install(tmp_path, block("python"), wrong)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=complaint):
        registry.find("halves")
    sys.modules.pop("halves_segmentation", None)


def test_methods_of_this_package_come_first(tmp_path, monkeypatch):
    install(tmp_path, block("python"), "words = halves_segmentation:HalvesSegmenter")
    monkeypatch.syspath_prepend(tmp_path)
    assert registry.find("words").__module__ == "rarewords.segmentation.words"
