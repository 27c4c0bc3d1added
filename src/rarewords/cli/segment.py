"""`rarewords segment`: fit a segmentation, apply it, undo it, count its units in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rarewords.cli.groups import Group
from rarewords.errors import InputError

if TYPE_CHECKING:
    from rarewords.segmentation.protocol import Segmenter


@click.group(cls=Group, name="segment")
def command() -> None:
    """Fit a segmentation, apply it, undo it, count its units in a text.

    \b
    words               whole words, nothing is cut
    char-ngrams         chunks of n characters, frequent words kept whole
                        {"shortlist": 50000, "n": 2, "compatible_shortlist": false}
    bpe                 byte pair encoding, each side alone
                        {"merges": 60000, "minimum_frequency": 2, "version": "0.2", "tie_break": "larger"}
    bpe-joint           byte pair encoding learned on both sides together
                        {"merges": 90000}
    bpe-joint-iso9      the same for a pair with Russian, learned in Latin letters
                        {"merges": 90000}
    bpe-bytes           byte pair encoding of the bytes of UTF-8, no unknown characters
                        {"merges": 50000, "joint": false} and those of bpe
    bpe-rules           byte pair encoding after rules: digits, operators and wrapped sequences are cut first
                        {"merges": 50000, "split_digits": true, "split_operators": true, "wrapped": [],
                        "sample": 1.0, "seed": 1, "joint": false} and those of bpe;
                        or {"vocabulary": 50000} instead of merges, units in all
    source-bytes        bytes of the source, for a network with source_blocks; byte pair encoding of the target
                        {"merges": 50000, "spaces": false} and those of bpe
    raw-bytes           bytes of raw text, spaces included (text of `rarewords corpus tokenise --raw`)
    morfessor           Morfessor Baseline
                        {"corpus_weight": 1.0, "dampening": "ones", "seed": 1}
    hyphenation         cut where a line may break
    sentencepiece       pieces of a unigram model, or byte pair encoding, by the library of that name
                        {"vocabulary": 32000, "model": "unigram", "placeholders": 0, "character_coverage": 0.9995,
                        "joint": false}
    wordpiece           longest match first in a vocabulary with ##
                        {"vocabulary": 30000, "trainer": "sentencepiece", "joint": false}
    cleaned             clean-up before another segmentation: diacritics, URLs, mentions, hashtags
                        {"segmentation": {"method": "wordpiece", "vocabulary": 100000},
                        "clean": {"strip_diacritics": true, "urls": true, "mentions": true, "hashtags": true},
                        "sides": "source"}
    compound-splitting  known words as parts, by frequency; cannot be undone, for statistics only
                        {"minimum_size": 4, "minimum_count": 5, "maximum_count": 5, "fillers": ["s", "es"]}

    A segmenter is one JSON file for each side. Text has one sentence per line and words separated by single spaces;
    units inside a word end in @@; those of wordpiece start with ## instead.
    """


@command.command()
@click.option("--method", required=True, help="Name of the segmentation, see `rarewords segment --help`.")
@click.option("--settings", default="{}", show_default=True, help="Settings of the method, a JSON object.")
@click.option("--source-language", required=True, help="Language code of the source side, such as en.")
@click.option(
    "--target-language", help="Language code of the target side, such as ru; leave it out for one text alone."
)
@click.option("--source-counts", required=True, help="Words of the source training text, `word count` lines.")
@click.option("--target-counts", help="Words of the target training text, `word count` lines.")
@click.option("--source-segmenter", required=True, help="Segmenter of the source side to write (JSON).")
@click.option("--target-segmenter", help="Segmenter of the target side to write (JSON).")
def fit(
    method: str,
    settings: str,
    source_language: str,
    target_language: str | None,
    source_counts: str,
    target_counts: str | None,
    source_segmenter: str,
    target_segmenter: str | None,
) -> None:
    """Learn the segmenters of both sides, or of one text alone, from the word counts of the training text.

    \b
    rarewords segment fit --method bpe-joint --settings '{"merges": 3000}' \\
      --source-language en --source-counts train.en.counts --source-segmenter en.json \\
      --target-language de --target-counts train.de.counts --target-segmenter de.json

    One text alone is a source without a target; `rarewords corpus count` counts its words.

    Learning fewer merges than you ask for is not an error: a small text may have no more frequent pairs.
    """
    from rarewords.cli.progress import merge_progress
    from rarewords.corpus.importing import read_counts
    from rarewords.segmentation import registry
    from rarewords.text.outputs import check_outputs

    check_outputs([source_segmenter, target_segmenter], [source_counts, target_counts])
    parsed = _parse_settings(settings)
    languages, count_files, segmenter_files = [source_language], [source_counts], [source_segmenter]
    if target_language is not None and target_counts is not None and target_segmenter is not None:
        languages.append(target_language)
        count_files.append(target_counts)
        segmenter_files.append(target_segmenter)
    elif (target_language, target_counts, target_segmenter) != (None, None, None):
        raise click.UsageError(
            "A target needs --target-language, --target-counts and --target-segmenter; give all of them or none."
        )
    registry.find(method).check_languages(languages)  # mistakes are reported before large files are read
    counts = [read_counts(path) for path in count_files]
    for path, side in zip(count_files, counts, strict=True):
        if not side:
            raise InputError(f"{path} contains no words; count the words of the training text.")
    with merge_progress() as progress:
        segmenters = registry.create(method, parsed, counts, languages, progress)
    for segmenter, path in zip(segmenters, segmenter_files, strict=True):
        segmenter.save(path)
        click.echo(f"{path}: {segmenter.method}, {segmenter.language}: {segmenter.summary()}", err=True)


@command.command()
@click.option("--segmenter", "segmenter_path", required=True, help="Segmenter of this side (JSON).")
@click.option(
    "--vocabulary",
    "vocabulary_path",
    help="Network vocabulary; units outside it are taken apart again by undoing merges. For byte pair encoding only.",
)
@click.option("--input", "input_path", default="-", show_default=True, help="Text to segment.")
@click.option("--output", "output_path", default="-", show_default=True, help="Segmented text.")
def apply(segmenter_path: str, vocabulary_path: str | None, input_path: str, output_path: str) -> None:
    """Segment a text, line by line.

    Repeated spaces become one; the number of lines stays the same.
    """
    from rarewords.cli.progress import watched
    from rarewords.segmentation import registry
    from rarewords.text.files import read_lines, write_lines
    from rarewords.text.outputs import check_outputs

    check_outputs([output_path], [segmenter_path, vocabulary_path, input_path])
    segmenter = registry.load(segmenter_path)
    if vocabulary_path is not None:
        segmenter = _restrict(segmenter, segmenter_path, vocabulary_path)
    lines = watched(read_lines(input_path), "segmentation")
    write_lines(output_path, map(segmenter.segment_text, lines))


@command.command()
@click.option("--segmenter", "segmenter_path", required=True, help="Segmenter of this side (JSON).")
@click.option("--dropout", type=click.FloatRange(0, 1, max_open=True), help="Share of the merges to skip.")
@click.option("--alpha", type=click.FloatRange(0), help="Sharpness of the probabilities: 0 makes all equal.")
@click.option(
    "--copies", default=1, show_default=True, type=click.IntRange(1), help="Number of random segmentations of the text."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Seed of the random numbers.")
@click.option("--input", "input_path", required=True, help="Training text to segment.")
@click.option("--output", "output_path", required=True, help="Segmented text: the copies, one after another.")
def sample(
    segmenter_path: str,
    dropout: float | None,
    alpha: float | None,
    copies: int,
    seed: int,
    input_path: str,
    output_path: str,
) -> None:
    """Segment training text at random, several times over.

    \b
    --dropout  for byte pair encoding (BPE-dropout), say 0.1
    --alpha    for sentencepiece (subword regularisation), say 0.1; for its model bpe it is the dropout

    With `rarewords encode --copies` and the same number, training takes one copy in each pass over the data.
    """
    from rarewords.cli.progress import watched
    from rarewords.segmentation import registry
    from rarewords.segmentation.sampling import sampled_lines
    from rarewords.text.files import write_lines
    from rarewords.text.outputs import check_outputs

    check_outputs([output_path], [input_path])
    segmenter = registry.load(segmenter_path)
    strength = {"dropout": dropout, "alpha": alpha}
    lines = sampled_lines(segmenter, strength, input_path, copies, seed)
    write_lines(output_path, watched(lines, "segmentation"))


@command.command()
@click.option("--segmenter", "segmenter_path", required=True, help="Segmenter of this side (JSON).")
@click.option("--input", "input_path", default="-", show_default=True, help="Segmented text or a translation.")
@click.option("--output", "output_path", default="-", show_default=True, help="Text in words.")
def restore(segmenter_path: str, input_path: str, output_path: str) -> None:
    """Join units into words again.

    A translation may end in the middle of a word; the last @@ is then removed.
    """
    from rarewords.segmentation import registry
    from rarewords.text.files import read_lines, split_words, write_lines
    from rarewords.text.outputs import check_outputs

    check_outputs([output_path], [segmenter_path, input_path])
    segmenter = registry.load(segmenter_path)
    write_lines(output_path, (" ".join(segmenter.restore(split_words(line))) for line in read_lines(input_path)))


@command.command()
@click.option("--segmenter", "segmenter_path", required=True, help="Segmenter of this side (JSON).")
@click.option("--counts", "counts_path", required=True, help="Words of its training text, `word count` lines.")
@click.option(
    "--text", "texts", multiple=True, metavar="NAME=FILE", help="Another text, for its unknown units; repeatable."
)
@click.option("--other-segmenter", "other_segmenter_path", help="Segmenter of the other side (JSON).")
@click.option("--other-counts", "other_counts_path", help="Words of the other side's training text.")
@click.option("--output", "output_path", default="-", show_default=True, help="JSON to write.")
def statistics(
    segmenter_path: str,
    counts_path: str,
    texts: tuple[str, ...],
    other_segmenter_path: str | None,
    other_counts_path: str | None,
    output_path: str,
) -> None:
    """Count tokens, types and unknown units of a segmented text, as in the paper's Table 1.

    With the other side given, also how many of the words that occur on both sides are cut alike.
    """
    from rarewords.corpus.importing import count_words, read_counts
    from rarewords.segmentation import registry
    from rarewords.segmentation.statistics import as_json, joint_consistency, text_statistics
    from rarewords.text.documents import write_json
    from rarewords.text.files import read_lines
    from rarewords.text.outputs import check_outputs

    if (other_segmenter_path is None) != (other_counts_path is None):
        raise InputError("--other-segmenter and --other-counts belong together; give both or none.")
    named = dict(map(_name_and_file, texts))
    inputs = [segmenter_path, counts_path, *named.values(), other_segmenter_path, other_counts_path]
    check_outputs([output_path], inputs)
    segmenter, counts = registry.load(segmenter_path), read_counts(counts_path)
    others = {name: count_words(read_lines(path)) for name, path in named.items()}
    consistency = None
    if other_segmenter_path is not None and other_counts_path is not None:
        consistency = joint_consistency(
            registry.load(other_segmenter_path), read_counts(other_counts_path), segmenter, counts
        )
    found = text_statistics(segmenter, counts, others)
    for name, unknown in found.unknown.items():
        share = 100 * unknown / max(1, found.unknown_of[name])
        click.echo(f"{name}: {unknown:,} of {found.unknown_of[name]:,} units ({share:.2f} %) are unknown", err=True)
    write_json(output_path, as_json(segmenter, found, consistency))


@command.command()
@click.option("--segmenter", "segmenter_paths", multiple=True, help="Segmenter (JSON); repeatable.")
@click.option("--experiment", help="Name of an experiment that has been run here, instead of segmenters.")
@click.option("--language", help="Only the segmenters of this language.")
@click.argument("words", nargs=-1, metavar="[WORD]...")
def show(
    segmenter_paths: tuple[str, ...], experiment: str | None, language: str | None, words: tuple[str, ...]
) -> None:
    """Print how words are cut: word, segmentation, language and units, separated by tabs.

    Without a WORD, it cuts the words that the paper discusses.

    \b
    rarewords segment show --experiment demo --language de Forschungsinstitut
    rarewords segment show --segmenter data/libreoffice-short/en-de/seg/bpe/segmenter.de.json Forschungsinstitut
    """
    from rarewords.experiment.segmenters import experiment_segmenters
    from rarewords.report.paper import load_paper
    from rarewords.segmentation import registry

    if (experiment is None) == (not segmenter_paths):
        raise InputError("give either --segmenter or --experiment.")
    if experiment is None:
        segmenters = [(path, registry.load(path)) for path in segmenter_paths]
    else:
        segmenters = experiment_segmenters(experiment)
    chosen = [(name, segmenter) for name, segmenter in segmenters if language in (None, segmenter.language)]
    if not chosen:
        known = ", ".join(sorted({segmenter.language for _, segmenter in segmenters}))
        raise InputError(f"--language {language!r}: there is no segmenter of this language, only of {known}.")
    for name, segmenter in chosen:
        click.echo(f"{name}: {segmenter.method}, {segmenter.language}: {segmenter.summary()}", err=True)
    for word in words or load_paper()["examples"]:
        for name, segmenter in chosen:
            click.echo(f"{word}\t{name}\t{segmenter.language}\t{' '.join(segmenter.segment_word(word))}")


def _name_and_file(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise InputError(f"--text {text!r} is not NAME=FILE; write it like dev=dev.de.")
    return name, path


def _parse_settings(text: str) -> dict[str, Any]:
    from rarewords.text.documents import parse_json

    try:
        settings = parse_json(text, "--settings")
    except InputError as error:
        raise InputError(f"{error} Quote it like '{{\"merges\": 3000}}'.") from error
    if not isinstance(settings, dict):
        raise InputError(f"--settings {text!r} is not a JSON object; write it like '{{\"merges\": 3000}}'.")
    return settings


def _restrict(segmenter: Segmenter, segmenter_path: str, vocabulary_path: str) -> Segmenter:
    from rarewords.segmentation.bpe.segmenter import BpeSegmenter
    from rarewords.vocabulary import Vocabulary

    if not isinstance(segmenter, BpeSegmenter):
        raise InputError(
            f"{segmenter_path}: --vocabulary needs byte pair encoding, but the method is {segmenter.method}; "
            "leave --vocabulary out."
        )
    return segmenter.restricted_to(frozenset(Vocabulary.load(vocabulary_path).units))
