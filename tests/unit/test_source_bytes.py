"""Bytes on the source side, byte pair encoding on the target side."""

import json

import pytest
from click.testing import CliRunner

from rarewords.cli import cli
from rarewords.errors import InputError
from rarewords.segmentation import registry
from rarewords.segmentation.bpe.bytes import ByteBpeSegmenter
from rarewords.segmentation.cleaned import CleanedSegmenter
from rarewords.segmentation.source_bytes import SourceBytes
from rarewords.segmentation.statistics import as_json, text_statistics
from rarewords.vocabulary import UNK, Vocabulary, unit_counts

COUNTS = [{"low": 5, "größer": 2, "#x": 3}, {"lower": 5, "low": 3, "newer": 4}]


def fitted(**settings):
    return registry.create("source-bytes", {"merges": 4} | settings, COUNTS, ["de", "en"])


def test_the_source_is_cut_into_bytes_and_the_target_by_its_own_merges():
    source, target = fitted()
    assert source.segment(["low", "Größe"]) == ["l@@", "o@@", "w", "G@@", "r@@", "ǃ@@", "ƶ@@", "ǃ@@", "Ɵ@@", "e"]
    (alone,) = registry.create("bpe", {"merges": 4}, COUNTS[1:], ["en"])
    assert target.to_json()["data"] == alone.to_json()["data"]
    assert target.segment(["lower", "newest"]) == alone.segment(["lower", "newest"])
    assert (source.language, target.language) == ("de", "en")


def test_no_source_is_unknown_and_the_vocabulary_is_the_bytes():
    source, target = fitted()
    smallest = [2 + SourceBytes.smallest_vocabulary(target.settings, side) for side in (0, 1)]
    assert smallest == [433, 3]
    vocabularies = [
        Vocabulary.build(unit_counts(source.segment_word, COUNTS[0]), size, source.reserved_units())
        for size in (433, 9999)
    ]
    assert vocabularies[0].counts == vocabularies[1].counts
    assert len(vocabularies[0]) == 433
    assert UNK not in vocabularies[0].encode(source.segment(["мать", "🦊", "low"]))
    with pytest.raises(InputError, match="give 433 or more"):
        Vocabulary.build(unit_counts(source.segment_word, COUNTS[0]), 432, source.reserved_units())


def test_there_are_no_files_of_the_method_itself():
    value = fitted()[0].to_json() | {"method": "source-bytes"}
    with pytest.raises(InputError, match="source-bytes has no segmenter files of its own; fit it again"):
        registry.from_json(value, "x.json")


def test_statistics_name_the_method_of_the_side():
    source, _ = fitted()
    statistics = text_statistics(source, COUNTS[0], {"test": {"🦊": 1}})
    assert as_json(source, statistics, None)["method"] == "bpe-bytes"
    assert (statistics.words, statistics.tokens) == (10, 5 * 3 + 2 * 8 + 3 * 2)


def test_after_clean_up(tmp_path):
    settings = {"segmentation": {"method": "source-bytes", "merges": 4}}
    source, target = registry.create("cleaned", settings, COUNTS, ["de", "en"])
    assert source.segment(["#x", "low"]) == ["HASHTAG", "l@@", "o@@", "w"]
    for segmenter in (source, target):
        segmenter.save(tmp_path / "x.json")
        loaded = registry.load(tmp_path / "x.json")
        assert loaded.to_json() == segmenter.to_json()
        assert loaded.segment(["#x", "lower"]) == segmenter.segment(["#x", "lower"])
    complete = CleanedSegmenter.complete(settings)
    assert [CleanedSegmenter.smallest_vocabulary(complete, side) for side in (0, 1)] == [431 + 3, 1]


def test_on_the_command_line(tmp_path):
    arguments = [
        "--method",
        "source-bytes",
        "--settings",
        '{"merges": 4}',
        "--source-language=de",
        "--target-language=en",
    ]
    for side, counts in zip(("source", "target"), COUNTS, strict=True):
        text = "".join(f"{word} {count}\n" for word, count in counts.items())
        (tmp_path / side).write_text(text, encoding="utf-8")
        arguments += [f"--{side}-counts={tmp_path / side}", f"--{side}-segmenter={tmp_path / side}.json"]
    done = CliRunner().invoke(cli, ["segment", "fit", *arguments])
    assert done.exit_code == 0, done.output
    assert "source.json: bpe-bytes, de: 0 merges" in done.output
    assert "target.json: bpe, en: 4 merges" in done.output
    methods = [json.loads((tmp_path / f"{side}.json").read_text())["method"] for side in ("source", "target")]
    assert methods == ["bpe-bytes", "bpe"]
    assert isinstance(registry.load(tmp_path / "source.json"), ByteBpeSegmenter)
