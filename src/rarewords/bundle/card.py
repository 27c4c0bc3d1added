"""The README of a bundle, for its users: what it translates, how to use it, its training text, its scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rarewords import __version__
from rarewords.bundle.contents import Settings
from rarewords.evaluation.registry import TESTED_OF_TEXT, TextMetric

CARD = "README.md"


def card(
    settings: Settings, members: int, scores: Mapping[str, Any], config: Mapping[str, Any] | None, date: str
) -> str:
    """The text; `config` is the configuration of the experiment that it comes from, if it does."""
    source, target = settings.source_language, settings.target_language
    parts = [
        f"# {settings.label}: {source} to {target}",
        f"A translator of single sentences from `{source}` to `{target}`, exported on {date} by rarewords "
        f"{__version__} (Sennrich, Haddow and Birch, 2016): {members} network{'s' if members > 1 else ''} that "
        f"translate together, searched with a beam of {settings.beam}.",
        "## Use\n\n"
        "    pip install 'rarewords[train]'\n"
        "    rarewords translate . < text > translation\n\n"
        'In Python: `rarewords.Translator.load(".").translate(["A sentence."])`. Input and output are ordinary text, '
        "one sentence per line.",
        "## Training text\n\n" + _training_text(config),
        "## Scores\n\n" + _scores(scores),
        "## Limits\n\n"
        "- It works on the kind of text that it was trained on; on other text it may omit or invent content without "
        "saying so. Have a person check important translations.\n"
        "- It translates one sentence at a time, and cuts long ones.\n"
        "- The licence of the training text may extend to the networks; ask their makers before you pass them on.",
        "`bundle.json` has all settings, and the checksum of every file; `rarewords translate` compares them.",
    ]
    return "\n\n".join(parts) + "\n"


def _training_text(config: Mapping[str, Any] | None) -> str:
    if config is None:
        return "Not known: the bundle was put together from single files."
    name = config["experiment"]["corpus"]
    corpus = config["corpora"][name]
    what = corpus.get("description") or f"The corpus `{name}`."
    licence = corpus.get("licence")
    return f"{what} Licence: {licence}." if licence else f"{what} Its licence is not stated."


def _scores(scores: Mapping[str, Any]) -> str:
    if not scores:
        return "None are known."
    labels = " | ".join(metric.label for metric in TESTED_OF_TEXT)
    rows = [f"| test set, output | sentences | {labels} |", "| --- | ---: |" + " ---: |" * len(TESTED_OF_TEXT)]
    for name, found in scores.items():
        cells = " | ".join(_score(found, metric) for metric in TESTED_OF_TEXT)
        rows.append(f"| {name} | {found['sentences']:,} | {cells} |")
    first = next(iter(scores.values()))
    signed = [first[metric.name] for metric in TESTED_OF_TEXT if "signature" in first.get(metric.name, {})]
    signatures = "; ".join(f"{metric['name']} `{metric['signature']}`" for metric in signed) or "not given"
    return "\n".join(rows) + f"\n\n`best` is the best single network, `ensemble` all of them. Signatures: {signatures}."


def _score(found: Mapping[str, Any], metric: TextMetric) -> str:
    value = metric.value(found)
    return "-" if value is None else f"{value:.{metric.digits}f}"
