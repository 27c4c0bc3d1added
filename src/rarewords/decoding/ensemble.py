"""One decoding step of several models together: mean log-probabilities, one state a model (docs/reproduction.md,
section Decoding)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from rarewords.model.parameters import Parameters
from rarewords.model.readout import logits, readout
from rarewords.model.rnnsearch import Encoded, embed, encode
from rarewords.model.steps import attention_weights, gru_step
from rarewords.vocabulary import EOS

ROWS = 256  # hypotheses whose scores exist at once on the CPU; a few MB that stay in the cache


@dataclass
class ModelState:
    """One model's view of the live hypotheses: `sentences` × `width` rows.

    state (sentences·width, d), previous (sentences·width, e) or None before the first word.
    """

    encoded: Encoded
    state: Tensor
    previous: Tensor | None


class Ensemble:
    """Members that share both vocabularies; a single model is an ensemble of one."""

    def __init__(self, members: list[Parameters]) -> None:
        self.members = members

    def start(self, source: Tensor, mask: Tensor) -> list[ModelState]:
        """Encode source ids (T, sentences) with their mask; every sentence has one row."""
        encoded = [encode(parameters, source, mask) for parameters in self.members]
        return [ModelState(one, one.initial, None) for one in encoded]

    def look(self, states: list[ModelState]) -> list[Tensor]:
        """Each model's contexts (rows, 2·d): what its hypotheses see of the source."""
        return [_context(parameters, state) for parameters, state in zip(self.members, states, strict=True)]

    def best(
        self, states: list[ModelState], contexts: list[Tensor], count: int, too_early: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The `count` most probable next units of every row: log-probabilities and units, (rows, count) each.

        EOS is not among them in the rows where `too_early` (rows) is true.
        """
        features = [
            readout(parameters, state.state, context, state.previous)
            for parameters, state, context in zip(self.members, states, contexts, strict=True)
        ]
        at_once = too_early.shape[0] if too_early.is_cuda else ROWS
        found = []
        for start in range(0, too_early.shape[0], at_once):
            part = slice(start, start + at_once)
            scores = self.log_probabilities([rows[part] for rows in features])
            scores[too_early[part], EOS] = -torch.inf
            found.append(scores.topk(min(count, scores.shape[1]), dim=1))
        return torch.cat([values for values, _ in found]), torch.cat([units for _, units in found])

    def log_probabilities(self, features: list[Tensor]) -> Tensor:
        """Mean over the models of log-probabilities (rows, vocabulary), from each model's output features (rows, e).

        That is the geometric mean of the models' probabilities, not normalised again.
        """
        total: Tensor | None = None
        for parameters, rows in zip(self.members, features, strict=True):
            own = torch.log_softmax(logits(parameters, rows), dim=1)
            total = own if total is None else total.add_(own)
        assert total is not None
        return total.div_(len(self.members)) if len(self.members) > 1 else total

    def update(
        self, states: list[ModelState], contexts: list[Tensor], parents: Tensor, words: Tensor, sentences: Tensor | None
    ) -> list[ModelState]:
        """Let the rows `parents` read `words`; with `sentences` only those source sentences stay.

        parents and words have sentences·width entries, ordered by sentence.
        """
        return [
            _updated(parameters, state, context, parents, words, sentences)
            for parameters, state, context in zip(self.members, states, contexts, strict=True)
        ]


def _context(parameters: Parameters, state: ModelState) -> Tensor:
    encoded = state.encoded
    sentences = encoded.keys.shape[0]
    query = (state.state @ parameters["attention.state"]).view(sentences, -1, state.state.shape[1])
    weights = attention_weights(encoded.keys, query, parameters["attention.score"], encoded.mask)
    return torch.bmm(weights, encoded.annotations).flatten(0, 1)


def _updated(
    parameters: Parameters,
    state: ModelState,
    context: Tensor,
    parents: Tensor,
    words: Tensor,
    sentences: Tensor | None,
) -> ModelState:
    embedded = embed(parameters, "target", words)
    inputs = embedded @ parameters["decoder.input"] + context[parents] @ parameters["decoder.context"]
    inputs[:, 2 * state.state.shape[1] :] += parameters["decoder.bias"]
    new = gru_step(inputs, parameters["decoder.gates"], parameters["decoder.candidate"], state.state[parents])
    encoded = state.encoded
    if sentences is not None:
        encoded = Encoded(
            encoded.annotations[sentences], encoded.keys[sentences], encoded.mask[sentences], encoded.initial[sentences]
        )
    return ModelState(encoded, new, embedded)
