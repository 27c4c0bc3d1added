"""One decoding step of several models together: mean log-probabilities, one state a model.

Source: docs/reproduction/decoding.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from rarewords.decoding.candidates import UnitLists
from rarewords.model.blocks import has_blocks, largest_block
from rarewords.model.fused.rows import array, over_rows
from rarewords.model.fused.vocabulary import log_softmax, most_probable
from rarewords.model.padding import pad
from rarewords.model.parameters import Parameters
from rarewords.model.products import factors, product
from rarewords.model.readout import logits, readout
from rarewords.model.reference_step import attention_weights, gru_step
from rarewords.model.rnnsearch import embed, encode
from rarewords.vocabulary import EOS, UNK

ROWS = 256  # hypotheses whose scores exist at once on the CPU; a few MB that stay in the cache


@dataclass(frozen=True)
class OutputUnits:
    """The units one model scores: the `common` first of the vocabulary, and `n` others for each sentence.

    There is one group of others for each sentence, or a single one for all of them: ids (groups, n), their rows of the
    output layer (groups, n, e) and bias (groups, n), which is -inf where a group has fewer than n.
    """

    common: int
    ids: Tensor
    rows: Tensor
    bias: Tensor

    def scores(self, features: Tensor) -> Tensor:
        """Scores (rows, n) of the others, for output features (rows, e) of all sentences."""
        groups, _, e = self.rows.shape
        grouped = features.view(groups, -1, e)
        return torch.baddbmm(self.bias.unsqueeze(1), grouped, self.rows.transpose(1, 2)).flatten(0, 1)

    def units(self, columns: Tensor) -> Tensor:
        """The units of columns (rows, k) of scores, where the others stand behind the common ones."""
        if not self.ids.shape[1]:
            return columns
        grouped = columns.view(self.ids.shape[0], -1)
        others = self.ids.gather(1, (grouped - self.common).clamp_(0))
        return torch.where(grouped < self.common, grouped, others).view_as(columns)

    def of(self, sentences: Tensor) -> OutputUnits:
        """What is left if only these sentences stay."""
        if self.ids.shape[0] == 1:
            return self
        return OutputUnits(self.common, self.ids[sentences], self.rows[sentences], self.bias[sentences])


@dataclass
class ModelState:
    """One model's view of the live hypotheses: `sentences` × `width` rows.

    keys (sentences, T, d) and mask (sentences, T) are those of `Encoded`. seen (sentences, T, 4·d) are the annotations
    times the context's matrices of update (3·d) and readout (d), so that a source position is multiplied once, and not
    for every hypothesis at every step. state (sentences·width, d), previous (sentences·width, e) or None before the
    first word.
    """

    keys: Tensor
    mask: Tensor
    seen: Tensor
    output: OutputUnits
    state: Tensor
    previous: Tensor | None


class Ensemble:
    """Members that share both vocabularies; a single model is an ensemble of one.

    `source_per_target` is how many source units there are at most for each unit of a translation.
    """

    def __init__(self, members: list[Parameters]) -> None:
        self.members = [factors(one) for one in members]
        # 2 as in the paper's code; for blocks of bytes, of which a word has many, 16 of 4 bytes
        self.source_per_target = max(4 * largest_block(one) if has_blocks(one) else 2 for one in members)

    def start(self, source: Tensor, mask: Tensor, lists: UnitLists | None = None) -> list[ModelState]:
        """Encode source ids (T, sentences) with their mask; every sentence has one row.

        lists are the units that may be produced; all of the vocabulary if there are none.
        """
        states = []
        for parameters in self.members:
            encoded = encode(parameters, source, mask)
            seen = _multiplied(parameters, encoded.annotations)
            output = _output_units(parameters, lists)
            states.append(ModelState(encoded.keys, encoded.mask, seen, output, encoded.initial, None))
        return states

    def look(self, states: list[ModelState]) -> list[Tensor]:
        """Each model's contexts (rows, 4·d): what its hypotheses see of the source, multiplied as in `ModelState`."""
        return [_context(parameters, state) for parameters, state in zip(self.members, states, strict=True)]

    def best(
        self,
        states: list[ModelState],
        contexts: list[Tensor],
        count: int,
        too_early: Tensor,
        ignore_unknown: bool = False,
    ) -> tuple[Tensor, Tensor]:
        """The `count` most probable next units of every row: log-probabilities and units, (rows, count) each.

        EOS is not among them in the rows where `too_early` (rows) is true, UNK nowhere with `ignore_unknown`.
        Units outside a sentence's list have no part in its probabilities.
        """
        output = states[0].output  # the units are the same for all members
        features = [
            readout(parameters, state.state, _for_readout(context), state.previous)
            for parameters, state, context in zip(self.members, states, contexts, strict=True)
        ]
        others = [state.output.scores(rows) for state, rows in zip(states, features, strict=True)]
        at_once = too_early.shape[0] if too_early.is_cuda else ROWS
        found = []
        for start in range(0, too_early.shape[0], at_once):
            part = slice(start, start + at_once)
            scores = self.log_probabilities(output.common, [x[part] for x in features], [x[part] for x in others])
            scores[too_early[part], EOS] = -torch.inf
            if ignore_unknown:
                scores[:, UNK] = -torch.inf
            found.append(_most_probable(scores, min(count, scores.shape[1])))
        columns = torch.cat([columns for _, columns in found])
        return torch.cat([values for values, _ in found]), output.units(columns)

    def log_probabilities(self, common: int, features: list[Tensor], others: list[Tensor]) -> Tensor:
        """Mean over the models of log-probabilities (rows, common + n), from each model's output features (rows, e) and
        the scores (rows, n) of units that are not common.

        That is the geometric mean of the models' probabilities, not normalised again.
        """
        total: Tensor | None = None
        for parameters, rows, other_scores in zip(self.members, features, others, strict=True):
            scores = rows.new_empty(rows.shape[0], common + other_scores.shape[1])
            logits(parameters, rows, scores[:, :common])
            scores[:, common:] = other_scores
            own = _log_softmax(scores)
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


def _log_softmax(scores: Tensor) -> Tensor:
    """Log-probabilities (rows, units), on the CPU in the same memory."""
    if not scores.is_cpu:
        return torch.log_softmax(scores, dim=1)
    over_rows(log_softmax, scores.shape[0], array(scores))
    return scores


def _most_probable(scores: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The `count` largest scores of each row, descending, and their columns."""
    if not scores.is_cpu:
        return scores.topk(count, dim=1)
    values = scores.new_empty(scores.shape[0], count)
    columns = torch.empty(values.shape, dtype=torch.int64)
    over_rows(most_probable, scores.shape[0], array(scores), array(values), columns.numpy())
    return values, columns


def _multiplied(parameters: Parameters, annotations: Tensor) -> Tensor:
    """Annotations (sentences, T, 2·d) times the matrices of update and readout: (sentences, T, 4·d)."""
    rows = annotations.flatten(0, 1)
    parts = [product(rows, parameters[name]) for name in ("decoder.context", "readout.context")]
    return torch.cat(parts, dim=1).view(*annotations.shape[:2], -1)


def _context(parameters: Parameters, state: ModelState) -> Tensor:
    sentences, _, d = state.keys.shape
    query = product(state.state, parameters["attention.state"]).view(sentences, -1, d)
    weights = attention_weights(state.keys, query, parameters["attention.score"], state.mask)
    return torch.bmm(weights, state.seen).flatten(0, 1)


def _for_update(context: Tensor) -> Tensor:
    return context[:, : context.shape[1] // 4 * 3]


def _for_readout(context: Tensor) -> Tensor:
    return context[:, context.shape[1] // 4 * 3 :]


def _updated(
    parameters: Parameters,
    state: ModelState,
    context: Tensor,
    parents: Tensor,
    words: Tensor,
    sentences: Tensor | None,
) -> ModelState:
    embedded = embed(parameters, "target", words)
    inputs = product(embedded, parameters["decoder.input"])
    inputs += _for_update(context)[parents]
    inputs[:, 2 * state.state.shape[1] :] += parameters["decoder.bias"]
    new = gru_step(inputs, parameters["decoder.gates"], parameters["decoder.candidate"], state.state[parents])
    keys, mask, seen, output = state.keys, state.mask, state.seen, state.output
    if sentences is not None:
        keys, mask, seen, output = keys[sentences], mask[sentences], seen[sentences], output.of(sentences)
    return ModelState(keys, mask, seen, output, new, embedded)


def _output_units(parameters: Parameters, lists: UnitLists | None) -> OutputUnits:
    output, bias = parameters["readout.output"], parameters["readout.output_bias"]
    if lists is None:
        lists = UnitLists(output.shape[0], [[]])
    ids, real = (tensor.t().to(output.device) for tensor in pad(lists.others, EOS))
    return OutputUnits(lists.common, ids, output[ids].to(bias.dtype), bias[ids].masked_fill(~real, -torch.inf))
