"""BLEU of a network during training, from greedy translations of the development text."""

from __future__ import annotations

from pathlib import Path

from rarewords.decoding.translator import Translator
from rarewords.evaluation.metrics import bleu
from rarewords.model.parameters import Parameters
from rarewords.model.size import NetworkSize
from rarewords.saved_model import SavedModel
from rarewords.segmentation import registry
from rarewords.settings import DecodingSettings
from rarewords.text.files import PathLike, read_parallel, split_words
from rarewords.vocabulary import Vocabulary


class GreedyBleu:
    """Called with parameters, BLEU (0 to 100) of truecased words: a measure of progress, not a score of a table.

    `source` and `target` are segmented; `segmenter` (of the target) puts words together; `data` is the folder of the
    encoded training pairs, which has the vocabularies. Raises InputError for any other files.
    """

    def __init__(self, source: PathLike, target: PathLike, segmenter: PathLike, data: PathLike) -> None:
        self._segmenter = registry.load(segmenter)
        pairs = list(read_parallel(source, target))
        self._sources = [split_words(line) for line, _ in pairs]
        self._references = [self._words(split_words(line)) for _, line in pairs]
        self._source_vocabulary = Vocabulary.load(Path(data) / "source.vocabulary")
        self._target_vocabulary = Vocabulary.load(Path(data) / "target.vocabulary")

    def __call__(self, parameters: Parameters) -> float:
        """Translate with beam 1 and score; the parameters stay as they are."""
        detached = {name: value.detach() for name, value in parameters.items()}
        member = SavedModel(detached, self._size(detached), self._source_vocabulary, self._target_vocabulary, {})
        translations = Translator([member]).translate(self._sources, DecodingSettings(beam=1), batch_size=64)
        score: float = bleu([self._words(units) for units in translations], self._references)["score"]
        return score

    def _size(self, parameters: Parameters) -> NetworkSize:
        embedding, hidden = parameters["source.embedding"].shape[1], parameters["decoder.initial"].shape[0]
        return NetworkSize(len(self._source_vocabulary), len(self._target_vocabulary), embedding, hidden)

    def _words(self, units: list[str]) -> str:
        return " ".join(self._segmenter.restore(units))
