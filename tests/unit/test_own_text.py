"""A new language pair: what the check finds, which sets are split off, which sizes the configuration has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from rarewords.corpus.inspection import Inspection, inspect
from rarewords.corpus.scripts import script_of_line, scripts_of_language, usual_scripts
from rarewords.corpus.splitting import choose, without
from rarewords.errors import InputError
from rarewords.experiment.own_text import Size, configuration, measure, rounded
from rarewords.experiment.plan import Experiment
from rarewords.segmentation.registry import find

RUSSIAN = ["Старый дом стоит у реки.", "Нажмите на кнопку мыши.", "Откройте окно программы.", "Это новая строка."]
ENGLISH = ["The old house is by the river.", "Click the mouse button.", "Open the program window.", "A new line it is."]


def write(folder: Path, source: Sequence[str], target: Sequence[str]) -> tuple[Path, Path]:
    for name, lines in (("a", source), ("b", target)):
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return folder / "a", folder / "b"


def inspected(folder: Path, source: Sequence[str], target: Sequence[str], *languages: str) -> Inspection:
    return inspect(*write(folder, source, target), languages)


def test_good_text_has_no_warnings(tmp_path: Path) -> None:
    found = inspected(tmp_path, RUSSIAN, ENGLISH, "ru", "en")
    assert (found.pairs, found.warnings()) == (4, [])
    assert found.describe().startswith("4 pairs: 0 repeated, 0 empty sides, 0 the same")


def test_what_looks_wrong_is_counted(tmp_path: Path) -> None:
    source = [*RUSSIAN, RUSSIAN[0], "", "LibreOffice Writer", "слово " * 81, "слово " * 20, "Конец предложения ."]
    target = [*ENGLISH, ENGLISH[0], "Missing.", "LibreOffice Writer", "word " * 81, "One.", "The end is here ."]
    found = inspected(tmp_path, source, target, "ru", "en")
    assert found.pairs == 10
    counts = (found.duplicates, found.identical, found.too_long, found.unequal)
    assert counts == (1, 1, 1, 1)
    assert (found.source.empty, found.source.other_script, found.source.tokenised) == (1, 1, 1)
    assert (found.target.empty, found.target.other_script) == (0, 0)
    text = "\n".join(found.warnings())
    assert "1 of 10 pairs are repetitions" in text
    assert "1 of 10 lines are not in the script of ru (the first is line 7)" in text
    assert "tokenised" not in text  # one line in ten


def test_tokenised_and_segmented_text_is_noticed(tmp_path: Path) -> None:
    found = inspected(tmp_path, [*RUSSIAN[:3], "Конец ."], [*ENGLISH[:2], "It &apos;s", "lo@@ w"], "ru", "en")
    assert [warning.split(": ")[0].split(" (")[0] for warning in found.warnings()] == [
        f"{tmp_path / 'a'} looks tokenised",
        f"{tmp_path / 'b'} looks tokenised",
    ]
    assert "without spaces between words" in inspected(tmp_path, ["日本語の文章です"], ["x"], "ja", "en").warnings()[-1]


def test_swapped_and_wrong_files_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="most lines are in Latin letters, which ru is not written in; the two files"):
        inspected(tmp_path, ENGLISH, RUSSIAN, "ru", "en")
    with pytest.raises(InputError, match="Cyrillic letters, which de is not written in; name the right file"):
        inspected(tmp_path, ENGLISH, RUSSIAN, "en", "de")
    with pytest.raises(InputError, match="b ends after line 3"):
        inspected(tmp_path, RUSSIAN, ENGLISH[:3], "ru", "en")
    with pytest.raises(InputError, match=r"there is no text in .*b;"):
        inspected(tmp_path, RUSSIAN, [""] * 4, "ru", "en")
    (tmp_path / "b").write_bytes(b"ok\nok\n\xff\nok\n")
    with pytest.raises(InputError, match="b, line 3: not UTF-8"):
        inspect(tmp_path / "a", tmp_path / "b", ("ru", "en"))


def test_scripts() -> None:
    assert script_of_line("Открыть LibreOffice Writer") == "Latn"
    assert script_of_line("Открыть окно GIMP, 100 %") == "Cyrl"
    assert script_of_line("abcd") is None
    assert scripts_of_language("sr") == {"Latn", "Cyrl"}
    assert scripts_of_language("fr") == {"Latn"}
    assert scripts_of_language("tzm") == {"Latn", "Tfng"}
    assert scripts_of_language("ky") == {"Arab", "Cyrl", "Latn"}
    assert scripts_of_language("qqq") == frozenset()
    assert usual_scripts("sr") == {"Cyrl"}
    assert scripts_of_language("iw") == scripts_of_language("he") == {"Hebr"}
    assert scripts_of_language("ja") == {"Hani", "Hira", "Kana"}
    assert scripts_of_language("xx") == usual_scripts("xx") == frozenset()


@pytest.mark.parametrize(
    ("language", "line"),
    [
        *[("km", "ខ្ញុំរៀនភាសាខ្មែរ"), ("my", "မြန်မာဘာသာ"), ("lo", "ພາສາລາວ"), ("si", "සිංහල භාෂාව"), ("ml", "മലയാളം ഭാഷ")],
        *[("gu", "ગુજરાતી ભાષા"), ("pa", "ਪੰਜਾਬੀ ਭਾਸ਼ਾ"), ("kn", "ಕನ್ನಡ ಭಾಷೆ"), ("or", "ଓଡ଼ିଆ ଭାଷା"), ("bo", "བོད་སྐད་ཡིག")],
        *[("ti", "ትግርኛ ቋንቋ"), ("dv", "ދިވެހި ބަސް"), ("ckb", "کوردیی ناوەندی"), ("ug", "ئۇيغۇر تىلى"), ("sd", "سنڌي ٻولي")],
        *[("iu", "ᐃᓄᒃᑎᑐᑦ"), ("chr", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"), ("kk", "қазақ тілі"), ("uz", "o‘zbek tili"), ("uz", "ўзбек тили")],
        *[("zh", "我喜欢中文"), ("ko", "한국어는 재미있어요"), ("el", "ελληνική γλώσσα"), ("xx", "любой язык")],
    ],
)
def test_a_language_may_have_any_script_that_it_is_written_in(tmp_path: Path, language: str, line: str) -> None:
    found = inspected(tmp_path, [line] * 4, ENGLISH, language, "en")
    assert not [warning for warning in found.warnings() if "script" in warning]


PAIRS = [(f"das ist der Satz {k}", f"this is the sentence {k}") for k in range(200)]


def test_sets_are_disjoint_and_of_the_size_asked_for() -> None:
    sets = choose(PAIRS, {"dev": 30, "test": 20})
    assert {name: len(pairs) for name, pairs in sets.items()} == {"dev": 30, "test": 20}
    assert not set(sets["dev"]) & set(sets["test"])
    for pairs in sets.values():
        assert pairs == sorted(pairs, key=PAIRS.index)
    rest = list(without(PAIRS, [*sets["dev"], *sets["test"]]))
    assert len(rest) == 150
    assert not set(rest) & {*sets["dev"], *sets["test"]}


def test_the_choice_does_not_depend_on_the_order() -> None:
    there = choose(PAIRS, {"dev": 30, "test": 20})
    back = choose(PAIRS[::-1], {"dev": 30, "test": 20})
    assert {name: set(pairs) for name, pairs in there.items()} == {name: set(pairs) for name, pairs in back.items()}
    more = choose([*PAIRS, *PAIRS], {"dev": 30, "test": 20})
    assert {name: set(pairs) for name, pairs in there.items()} == {name: set(pairs) for name, pairs in more.items()}


def test_short_long_and_repeated_sentences_are_not_chosen() -> None:
    unfit = [("zwei Worte", "two words"), ("w " * 81, "w " * 81), ("", "")]
    same_source = [(PAIRS[0][0].upper(), f"another translation {k}") for k in range(20)]
    chosen = choose([*unfit, *same_source, *PAIRS[:3]], {"dev": 3})["dev"]
    assert len({source.lower() for source, _ in chosen}) == 3
    with pytest.raises(InputError, match="only 3 distinct pairs of 3 to 80 words were found for the 4 in dev and test"):
        choose([*unfit, *PAIRS[:3]], {"dev": 2, "test": 2})


def test_a_side_in_a_set_keeps_a_pair_out_of_training() -> None:
    pairs = [("Ein  Satz", "one"), ("zwei", "A SENTENCE"), ("drei", "three")]
    assert list(without(pairs, [("ein satz", "a sentence")])) == [("drei", "three")]


def test_measured_by_hand(tmp_path: Path) -> None:
    size = measure(*write(tmp_path, ["a b a.", "c"], ["x, y", "x x x x x"]), ("de", "en"))
    assert size == Size(sampled=2, types=(4, 3), characters=4, usual_length=5)


def test_rounding() -> None:
    assert [rounded(number, 100, 50_000) for number in (3.2, 144, 1234, 98_765, 45_678.9)] == [
        100, 140, 1200, 50_000, 46_000,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("languages", "joint"),
    [(("ru", "en"), "bpe-joint-iso9"), (("en", "de"), "bpe-joint"), (("ru", "uk"), "bpe-joint"), (("el", "en"), None)],
)
@pytest.mark.parametrize("types", [(30, 20), (9_793, 5_080), (2_000_000, 1_700_000)])
def test_the_configuration_passes_the_checks(
    languages: tuple[str, str], joint: str | None, types: tuple[int, int]
) -> None:
    text = configuration("null", languages, "null.yaml", "my text: #1", Size(50_000, types, 90, 27))
    config = yaml.safe_load(text)
    pair = "-".join(languages)
    experiment = Experiment(config)
    assert (experiment.name, experiment.pairs) == ("null", [pair])
    assert experiment.parts(pair, "train", "target") == [f"my text: #1/train.{languages[1]}"]
    assert experiment.preprocess("maximum") == 30
    assert config["training"]["max_length"] == 120
    # what is defined beside the selected systems is right, too
    others = [name for name in config["systems"] if name != "dictionary"]
    assert ("subwords-joint" in others) == bool(joint)
    config["experiment"]["systems"] = [*others, "dictionary"]
    for name in others:
        method, _ = Experiment(config).segmentation(name, pair)
        find(method).check_languages(languages)
        if name == "subwords-joint":
            assert method == joint
    units = config["systems"]["subwords"]
    assert units["vocabulary"]["source"] > units["segmentation"]["merges"]
    if types[0] == 9_793:
        assert units["segmentation"]["merges"] == 3900
        assert config["systems"]["words"]["vocabulary"] == {"source": 6900, "target": 3600}
        assert config["experiment"]["rare_rank"] == 360
        assert config["systems"]["bigrams"]["segmentation"]["shortlist"] == 360
