"""`rarewords export`, and what may be wrong with a bundle."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from rarewords.bundle.contents import Settings, read_bundle
from rarewords.bundle.experiment import from_experiment
from rarewords.bundle.export import Sources, write_bundle
from rarewords.bundle.translator import Translator
from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.segmentation.registry import create
from rarewords.text.files import sha256

ROOT = Path(__file__).parents[2]
SETTINGS = Settings("toy", "en", "de")
SCORES = {
    "bleu": {"name": "BLEU", "score": 12.5, "signature": "nrefs:1"},
    "chrf3": {"name": "chrF3", "score": 33.5, "signature": "nc:6"},
}


def export(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["export", *map(str, arguments)])


def by_hand(sources: Sources, folder: Path) -> list[object]:
    members = [option for member in sources.members for option in ("--member", member)]
    return [
        *members, "--source-segmenter", sources.source_segmenter, "--target-segmenter", sources.target_segmenter,
        "--truecaser", sources.truecaser, "--source-language", "en", "--target-language", "de", "--output", folder,
    ]  # fmt: skip


def test_a_bundle_by_hand(tmp_path: Path, sources: Sources) -> None:
    folder = tmp_path / "new" / "bundle"
    options = ["--lexicon", sources.lexicon, "--unknown-words", "dictionary", "--beam", "5", "--label", "Mine"]
    done = export(*by_hand(sources, folder), *options, "--scores", f"test={sources.scores['test']}", "--no-normalise")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "Mine, en to de, 3 members" in done.stderr
    bundle = read_bundle(folder)
    assert bundle.settings == Settings("Mine", "en", "de", normalise=False, beam=5, unknown_words="dictionary")
    assert bundle.scores == {"test": {"sentences": 2, **SCORES}}
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == sorted(
        [*bundle.files, "bundle.json"]
    )
    for name, entry in bundle.files.items():
        assert entry == {"bytes": (folder / name).stat().st_size, "sha256": sha256(folder / name)}
    assert [path.name for path in folder.parent.iterdir()] == ["bundle"]


def test_a_member_without_checksum_is_exported_with_a_warning(tmp_path: Path, sources: Sources) -> None:
    folder = tmp_path / "old"
    shutil.copytree(sources.members[0], folder)
    description = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    del description["weights"], description["sha256"]
    (folder / "model.json").write_text(json.dumps(description), encoding="utf-8")
    done = export(*by_hand(replace(sources, members=[sources.members[0], folder]), tmp_path / "bundle"))
    assert done.exit_code == 0
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning")]
    assert len(warnings) == 1
    assert warnings[0].startswith(f"warning: {folder}: model.json has no checksum of the weights")


def test_a_bundle_that_reads_raw_text(tmp_path: Path, sources: Sources) -> None:
    options = by_hand(replace(sources, truecaser=""), tmp_path / "bundle")
    done = export(*[option for option in options if option not in ("--truecaser", "")], "--raw")
    assert (done.exit_code, done.stdout) == (0, "")
    translator = Translator.load(tmp_path / "bundle", device="cpu")
    assert translator.source.words('The  "old" tree.') == ["The", "\u2420", '"old"', "tree."]
    assert translator.target.text(["das", "\u2420", '"alte"', "Haus."]) == 'das  "alte" Haus.'
    found = translator.translations(["The old house."])[0][0]
    assert found.text == " ".join(found.words)


def test_a_bundle_needs_nothing_else(tmp_path: Path, sources: Sources) -> None:
    system = tmp_path / "system"
    shutil.copytree(Path(sources.truecaser).parent, system)
    moved = replace(
        sources,
        members=[system / Path(member).name for member in sources.members],
        source_segmenter=system / "segmenter.en.json",
        target_segmenter=system / "segmenter.de.json",
        truecaser=system / "truecaser.en",
    )
    write_bundle(tmp_path / "bundle", moved, SETTINGS)
    before = Translator.load(tmp_path / "bundle", device="cpu").translate(["The house."])
    shutil.rmtree(system)
    (tmp_path / "bundle").rename(tmp_path / "elsewhere")
    assert Translator.load(tmp_path / "elsewhere", device="cpu").translate(["The house."]) == before


def experiment(folder: Path, sources: Sources) -> None:
    """The folders that the workflow would leave behind."""
    config = yaml.safe_load((ROOT / "tests/workflow/tiny.yaml").read_text(encoding="utf-8"))
    config["systems"] = {
        "bpe": {
            "label": "BPE-10",
            "segmentation": {"method": "bpe", "merges": 10},
            "vocabulary": {"source": 99, "target": 99},
        },
        "copy": {"label": "Copy", "same_models": "bpe", "unknown_words": "dictionary"},
    }  # fmt: skip
    config["experiment"] |= {"systems": ["bpe", "copy"], "table1": ["words"]}
    config["table1"] = {"words": {"label": "none", "segmentation": {"method": "words"}}}
    config["training"] |= {"clip_norms": [1], "saved_models": 3}
    config["corpora"]["tiny"]["preprocess"]["aggressive"] = True
    text, results = folder / "data/tiny/en-de", folder / "results/tiny"
    for path in (text / "seg/bpe", text / "tc", results / "en-de/bpe/test"):
        path.mkdir(parents=True)
    (results / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    for name in ("segmenter.en.json", "segmenter.de.json", "lexicon.tsv"):
        shutil.copy(Path(sources.truecaser).parent / name, text / "seg/bpe" / name)
    shutil.copy(sources.truecaser, text / "tc/truecaser.en")
    shutil.copy(sources.scores["test"], results / "en-de/bpe/test/ensemble.json")
    for number, member in enumerate(sources.members, 1):
        shutil.copytree(member, folder / f"models/tiny/en-de/bpe/member{number}")


def test_a_bundle_of_an_experiment(tmp_path: Path, sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment(tmp_path, sources)
    monkeypatch.chdir(tmp_path)
    done = export("--experiment", "tiny", "--system", "bpe", "--output", "bundle")
    assert done.exit_code == 0, done.output
    bundle = read_bundle("bundle")
    assert bundle.settings == Settings("BPE-10", "en", "de", aggressive=True, beam=3)
    assert list(bundle.scores) == ["test ensemble"]
    assert "lexicon.tsv" not in bundle.files
    assert Path("bundle/config.yaml").read_bytes() == Path("results/tiny/config.yaml").read_bytes()
    assert export("--experiment", "tiny", "--pair", "en-de", "--system", "copy", "--output", "bundle").exit_code == 0
    bundle = read_bundle("bundle")
    assert (bundle.settings.label, bundle.settings.unknown_words) == ("Copy", "dictionary")
    assert (bundle.members, "lexicon.tsv" in bundle.files) == (3, True)
    for arguments, message in (
        (("other", "en-de", "bpe"), "experiment 'other' has not been run in this folder"),
        (("tiny", "en-ru", "bpe"), "--pair: experiment 'tiny' has the pairs en-de"),
        (("tiny", None, "bpx"), "--system: experiment 'tiny' has no system 'bpx'; did you mean 'bpe'"),
    ):
        with pytest.raises(InputError, match=message):
            from_experiment(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Give --member, or an --experiment"),
        (["--system", "bpe"], "give --experiment, too"),
        (["--experiment", "tiny"], "Give --system"),
        (["--experiment", "tiny", "--system", "bpe", "--beam", "3"], "--beam is known from the experiment"),
    ],
)
def test_options_that_do_not_go_together(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = export("--output", tmp_path / "b", *arguments)
    assert (done.exit_code, message in done.stderr) == (2, True)


def test_what_is_no_bundle_is_not_replaced(tmp_path: Path, sources: Sources) -> None:
    for name in ("folder", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "folder/text").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for name in ("folder", "file"):
        with pytest.raises(InputError, match="exists and is not a bundle"):
            write_bundle(tmp_path / name, sources, SETTINGS)
    assert (tmp_path / "folder/text").read_text(encoding="utf-8") == "mine"
    write_bundle(tmp_path / "empty", sources, SETTINGS)
    assert read_bundle(tmp_path / "empty").members == 3


def test_a_failed_export_leaves_the_old_bundle(tmp_path: Path, sources: Sources) -> None:
    write_bundle(tmp_path / "bundle", sources, SETTINGS)
    before = (tmp_path / "bundle/bundle.json").read_bytes()
    wrong = replace(sources, target_segmenter=sources.truecaser)
    with pytest.raises(InputError, match="not JSON"):
        write_bundle(tmp_path / "bundle", wrong, SETTINGS)
    with pytest.raises(InputError, match="cannot be read"):
        write_bundle(tmp_path / "bundle", replace(sources, members=[tmp_path / "none"]), SETTINGS)
    with pytest.raises(InputError, match="give --lexicon"):
        write_bundle(tmp_path / "bundle", replace(sources, lexicon=None), replace(SETTINGS, unknown_words="dictionary"))
    assert (tmp_path / "bundle/bundle.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]


def test_what_is_wrong_with_a_source_is_said_of_the_users_file(tmp_path: Path, sources: Sources) -> None:
    unreadable = tmp_path / "mine.txt"
    unreadable.write_text("low est\n", encoding="utf-8")
    words = tmp_path / "words.json"
    create("words", {}, [{"a": 1}], ["en"])[0].save(words)
    broken = tmp_path / "broken"
    shutil.copytree(sources.members[1], broken)
    (broken / "model.json").write_text("{}", encoding="utf-8")
    members = [sources.members[0]] * 10 + [broken]  # member1 is the beginning of member11
    needs_lexicon = replace(SETTINGS, unknown_words="dictionary")
    for wrong, settings, message in (
        ({"source_segmenter": unreadable}, SETTINGS, f"{unreadable}: not JSON"),
        ({"target_segmenter": unreadable}, SETTINGS, f"{unreadable}: not JSON"),
        ({"truecaser": unreadable}, SETTINGS, f"{unreadable}, line 1: not a truecasing model"),
        ({"lexicon": unreadable}, needs_lexicon, f"{unreadable}, line 1: not `source<TAB>target"),
        ({"members": members}, SETTINGS, f"{broken}/model.json: not a model of this version"),
        ({"source_segmenter": words}, replace(SETTINGS, fallback=True), f"{tmp_path}/b: fallback needs byte pair"),
    ):
        with pytest.raises(InputError) as caught:
            write_bundle(tmp_path / "b", replace(sources, **wrong), settings)
        assert str(caught.value).startswith(message)


@pytest.fixture
def copy(tmp_path: Path, bundle: Path) -> Path:
    shutil.copytree(bundle, tmp_path / "copy")
    return tmp_path / "copy"


def test_a_damaged_file_is_noticed(copy: Path) -> None:
    tensors = copy / "member2/model.safetensors"
    content = bytearray(tensors.read_bytes())
    content[-1] ^= 1
    tensors.write_bytes(content)
    with pytest.raises(InputError, match=r"member2/model\.safetensors is not the file"):
        Translator.load(copy, device="cpu")
    assert Translator.load(copy, members=[1, 3], device="cpu").translate([""]) == [""]
    (copy / "source-truecaser.txt").unlink()
    with pytest.raises(InputError, match=r"source-truecaser\.txt is missing"):
        Translator.load(copy, members=[1], device="cpu")


WRONG_SETTINGS = [
    ("beam", 10**9),
    ("beam", 0),
    ("beam", "12"),
    ("beam", None),
    ("normalise", "no"),
    ("fallback", 1),
    ("label", "\x1b[31mred"),
    ("label", []),
    ("source_language", None),
    ("candidates", {"common": 30}),
    ("candidates", []),
    ("unknown_words", 3),
]


def test_a_flipped_bit_in_the_description_is_noticed(copy: Path) -> None:
    path, draw = copy / "bundle.json", random.Random(6)
    good = path.read_bytes()
    for _ in range(50):
        place = draw.randrange(len(good))
        path.write_bytes(good[:place] + bytes([good[place] ^ 1 << draw.randrange(8)]) + good[place + 1 :])
        with pytest.raises(InputError, match=r"bundle\.json"):
            read_bundle(copy)


def test_a_damaged_description_is_noticed(copy: Path) -> None:
    path = copy / "bundle.json"
    good = json.loads(path.read_text(encoding="utf-8"))
    del good["sha256"]  # as somebody would who changes the file
    assert good["settings"] == asdict(Settings("toy", "en", "de", beam=4))
    for changes, message in (
        ({"format": 2}, "not a bundle of this version"),
        ({"settings": {"label": "x"}}, "settings: the key 'source_language' is missing"),
        *(({"settings": good["settings"] | {key: value}}, f"settings.{key}: ") for key, value in WRONG_SETTINGS),
        ({"settings": good["settings"] | {"unheard_of": 1}}, "the key 'unheard_of' is unknown"),
        ({"files": {"../outside": next(iter(good["files"].values()))}}, "lies outside the bundle"),
        ({"files": {}}, "3 members in 0 files"),
        (
            {"files": {name: entry for name, entry in good["files"].items() if "member1" not in name}},
            "does not list member1/",
        ),
        ({"members": 0}, "members: 0 is not a whole number from 1 to 1000"),
        ({"members": 100_000_000}, "members: 100000000 is not a whole number"),
        ({"members": 900}, "900 members in"),
        ({"members": "3"}, "members: '3' is not a whole number"),
        ({"files": []}, "files: a list is not a map"),
        ({"scores": None}, "scores: None is not a map"),
    ):
        path.write_text(json.dumps(good | changes), encoding="utf-8")
        with pytest.raises(InputError, match=message):
            Translator.load(copy, device="cpu")
    path.unlink()
    with pytest.raises(InputError, match=r"is not a bundle \(it has no bundle.json\)"):
        Translator.load(copy, device="cpu")
