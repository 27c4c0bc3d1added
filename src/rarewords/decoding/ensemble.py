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

    def look(self, states: list[ModelState]) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Mean scores (rows, vocabulary), mean log normalisers (rows) and each model's contexts (rows, 2·d).

        Log-probabilities are scores minus normaliser: their mean over the models, that is, the geometric mean of the
        models' probabilities, not normalised again.
        """
        scores: Tensor | None = None
        normaliser: Tensor | None = None
        contexts = []
        for parameters, state in zip(self.members, states, strict=True):
            context = _context(parameters, state)
            contexts.append(context)
            own = logits(parameters, readout(parameters, state.state, context, state.previous))
            own_normaliser = own.logsumexp(1)
            scores = own if scores is None else scores.add_(own)
            normaliser = own_normaliser if normaliser is None else normaliser.add_(own_normaliser)
        assert scores is not None
        assert normaliser is not None
        if len(self.members) > 1:
            scores.div_(len(self.members))
            normaliser.div_(len(self.members))
        return scores, normaliser, contexts

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
