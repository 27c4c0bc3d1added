"""How fast beam search is for several batch sizes, beside what matrix products allow, and beside JoeyNMT.

    python bench/decode.py [--batch-size 1 --batch-size 16 ...] [--joey /path/to/a/python/that/has/joeynmt]
    python bench/decode.py --paper-size --sentences 8 --batch-size 8 --turns 1

All tools translate the same sentences of the LibreOffice help with untrained networks of the same size, and every
translation is made to have the same number of units, so that all do the same number of steps on full beams. CPU seconds
are user and system time of the search, without loading. The share of the limit is the floating-point operations of the
matrix products per CPU second by the best exact rate of a 1024-cube product in float32, measured in the same run; with
candidate lists their products count only the units in the lists.

Candidate lists have the most frequent units and translations of each source unit, drawn at random, as only their number
matters here. `--paper-size` is the paper's word system: its network, 300,000 source and 500,000 target words, lists of
30,000 common words. Words that the text lacks fill the vocabularies.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
from measure import machine, run_peer, table
from torch import Tensor

from data import BenchData, prepare
from rarewords.alignment.lexicon import Lexicon
from rarewords.decoding.candidates import Candidates, Translations, UnitLists, block_list, sentence_lists
from rarewords.decoding.ensemble import Ensemble, ModelState
from rarewords.decoding.translator import Translator
from rarewords.machine.device import PRECISIONS, prepare_cpu, set_precision
from rarewords.machine.product_rate import rates_of_ways
from rarewords.model.flops import search_flops
from rarewords.model.parameters import initial_parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel
from rarewords.settings import CandidateSettings, DecodingSettings
from rarewords.text.files import read_lines
from rarewords.training.progress import peak_memory_mib
from rarewords.vocabulary import EOS, Vocabulary


class FixedLength(Ensemble):
    """Members whose translations all have `length` units, EOS included."""

    def __init__(self, ensemble: Ensemble, length: int) -> None:
        super().__init__(ensemble.members)
        self.length = length

    def start(self, source: Tensor, mask: Tensor, lists: UnitLists | None = None) -> list[ModelState]:
        self.step = 0
        return super().start(source, mask, lists)

    def look(self, states: list[ModelState]) -> list[Tensor]:
        self.step += 1
        return super().look(states)

    def log_probabilities(self, common: int, features: list[Tensor], others: list[Tensor]) -> Tensor:
        scores = super().log_probabilities(common, features, others)
        scores[:, EOS] = 0.0 if self.step == self.length else -torch.inf
        return scores


def make_translator(
    size: NetworkSize,
    vocabularies: tuple[Vocabulary, Vocabulary],
    members: int,
    device: torch.device | str = "cpu",
) -> Translator:
    drawn = [initial_parameters(size, seed) for seed in range(members)]
    on_device = [{name: value.to(device) for name, value in parameters.items()} for parameters in drawn]
    return Translator([SavedModel(parameters, size, *vocabularies, {}) for parameters in on_device])


def rarewords_seconds(
    translator: Translator,
    lexicon: Lexicon,
    lists: CandidateSettings | None,
    sentences: list[list[str]],
    arguments: argparse.Namespace,
    precision: str,
    batch_size: int,
) -> float:
    set_precision(precision)
    settings = DecodingSettings(beam=arguments.beam, candidates=lists)
    translator.ensemble = FixedLength(translator.ensemble, arguments.length)
    translator.translate(sentences[:2], settings, batch_size, lexicon=lexicon)
    began = time.process_time()
    found = translator.translate(sentences, settings, batch_size, lexicon=lexicon)
    seconds = time.process_time() - began
    if any(len(units) != arguments.length - 1 for units in found):
        raise SystemExit("a translation does not have the requested length")
    return seconds


def enlarged(vocabulary: Vocabulary, size: int | None) -> Vocabulary:
    """The vocabulary with units that do not occur, until there are `size` ids."""
    more = max(0, (size or 0) - len(vocabulary))
    return Vocabulary(vocabulary.counts | {f"filler {number}": 0 for number in range(more)})


def random_lexicon(source: Vocabulary, target: Vocabulary, sentences: list[list[str]], per_word: int) -> Lexicon:
    """Translations of the units that occur, drawn at random from the whole target vocabulary."""
    drawn = random.Random(1)
    occurring = {unit for sentence in sentences for unit in sentence if unit in source}
    return Lexicon(
        (unit, translation, 1 / per_word)
        for unit in sorted(occurring)
        for translation in drawn.sample(target.units, per_word)
    )


def joey_seconds(data: BenchData, sentences: list[list[str]], arguments: argparse.Namespace, batch_size: int) -> float:
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    found = run_peer(
        arguments.joey, Path(__file__).with_name("joey_decode.py"), data.folder, arguments.embedding, arguments.hidden,
        arguments.beam, batch_size, arguments.length, arguments.threads, threads=arguments.threads, text=text,
    )  # fmt: skip
    return found["seconds"]


def choose_sentences(data: BenchData, count: int, length: int) -> list[list[str]]:
    """Sentences spread over the test set for which a translation of that length is neither too short nor too long."""
    units = [line.split(" ") for line in read_lines(data.path("test", "en"))]
    fitting = [sentence for sentence in units if 3 * (len(sentence) + 1) > length > (len(sentence) + 1) // 2]
    return fitting[:: max(1, len(fitting) // count)][:count]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedding", type=int, default=256)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--merges", type=int, default=10_000, help="of joint BPE; about the size of the vocabulary")
    parser.add_argument("--source-units", type=int, help="enlarge the source vocabulary to this size")
    parser.add_argument("--target-units", type=int, help="enlarge the target vocabulary to this size")
    parser.add_argument("--common", type=int, default=1_000, help="most frequent units in a candidate list")
    parser.add_argument("--per-word", type=int, default=10, help="translations of each source unit in a list")
    parser.add_argument("--block", type=int, help="one list for this many sentences, instead of one for each")
    parser.add_argument("--paper-size", action="store_true", help="620, 1000, 300,000, 500,000 and 30,000 of these")
    parser.add_argument("--sentences", type=int, default=64)
    parser.add_argument("--length", type=int, default=15, help="units of every translation, EOS included")
    parser.add_argument("--beam", type=int, default=12)
    parser.add_argument("--members", type=int, default=1, help="models in the ensemble (rarewords only)")
    parser.add_argument("--batch-size", type=int, action="append", help="may be repeated; default 1, 4, 16, 32, 64")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--precision", action="append", choices=PRECISIONS, help="of matrix products (rarewords); may be repeated"
    )
    parser.add_argument("--joey", help="a Python interpreter that has JoeyNMT; left out without one")
    arguments = parser.parse_args()
    if arguments.paper_size:
        arguments.embedding, arguments.hidden, arguments.common = 620, 1000, 30_000
        arguments.source_units, arguments.target_units = 300_000, 500_000
    return arguments


def operations(size: NetworkSize, sentences: list[list[str]], arguments: argparse.Namespace) -> int:
    """Floating-point operations of the matrix products of all translations."""
    per_source, per_target = search_flops(size)
    source = sum(len(sentence) + 1 for sentence in sentences)
    target = len(sentences) * ((arguments.length - 1) * arguments.beam + 1)  # the first step has one hypothesis
    return arguments.members * (source * per_source + target * per_target)


def mean_list(candidates: Candidates, translator: Translator, sentences: list[list[str]]) -> int:
    """How many units a candidate list has, on average."""
    translations = Translations(candidates, translator.source_vocabulary, translator.target_vocabulary)
    lists = block_list(translations, sentences) if candidates.settings.block else None
    lists = lists or sentence_lists(translations, sentences, candidates.settings.common)
    return lists.common + round(statistics.mean(map(len, lists.others)))


def main() -> None:
    arguments = parse()
    prepare_cpu(arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        data = prepare(Path(folder), arguments.merges)
        sentences = choose_sentences(data, arguments.sentences, arguments.length)
        source = enlarged(data.vocabulary, arguments.source_units)
        target = enlarged(data.vocabulary, arguments.target_units)
        size = NetworkSize(len(source), len(target), arguments.embedding, arguments.hidden)
        precisions, translators = arguments.precision or ["float32"], {}
        for precision in precisions:
            set_precision(precision)  # a translator holds the factors of its products
            translators[precision] = make_translator(size, (source, target), arguments.members)
        lexicon = random_lexicon(source, target, sentences, arguments.per_word)
        candidates = Candidates(
            lexicon,
            CandidateSettings(common=arguments.common, per_word=arguments.per_word, block=arguments.block),
        )
        tools = {
            f"rarewords {precision}{name}": partial(
                rarewords_seconds, translators[precision], lexicon, lists, sentences, arguments, precision
            )
            for precision in precisions
            for name, lists in {"": None, ", lists": candidates.settings}.items()
        }
        if arguments.joey:
            tools["JoeyNMT"] = partial(joey_seconds, data, sentences, arguments)
        seconds: dict[tuple[str, int], list[float]] = {}
        rates = []
        for _ in range(arguments.turns):
            set_precision(precisions[0])
            rates.append(rates_of_ways())
            for batch_size in arguments.batch_size or [1, 4, 16, 32, 64]:
                for tool, measure in tools.items():
                    seconds.setdefault((tool, batch_size), []).append(measure(batch_size))
    by_way = {name: statistics.median(found[name] for found in rates) for name in rates[0]}
    rate = max(found for name, found in by_way.items() if name.startswith("float32") and "rounds" not in name)
    in_list = mean_list(candidates, translators[precisions[0]], sentences)
    short = replace(size, target_vocabulary=in_list)
    sizes = {tool: short if tool.endswith("lists") else size for tool in tools}
    limits = {tool: len(sentences) / operations(own, sentences, arguments) * rate for tool, own in sizes.items()}
    print(machine(arguments.threads))
    print(
        f"embedding {size.embedding}, hidden {size.hidden}, {size.source_vocabulary:,} and {size.target_vocabulary:,} "
        f"units, {in_list:,} in a list, {arguments.members} members"
    )
    print(f"{len(sentences)} sentences, beam {arguments.beam}, translations of {arguments.length} units")
    allowed = ", ".join(f"{limit:.1f} ({tool})" for tool, limit in limits.items())
    listed = ", ".join(f"{found / 1e9:,.0f} ({name})" for name, found in by_way.items())
    print(f"1024-cube product, GFLOP/CPU s: {listed}; exact float32 allows so many sentences/CPU s: {allowed}")
    print(f"peak memory {peak_memory_mib():,} MiB (rarewords)\n")
    rows = []
    for (tool, batch_size), found in seconds.items():
        speed = len(sentences) / statistics.median(found)
        rows.append([tool, batch_size, f"{speed:.1f}", f"{speed / limits[tool]:.0%}"])
    print(table(["tool", "batch size", "sentences/CPU s", "share of limit"], rows))


if __name__ == "__main__":
    main()
