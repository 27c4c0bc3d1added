"""The search of docs/reproduction.md, section Decoding, without batches: one sentence, Python lists, no shortcuts."""

import torch

from rarewords.model.readout import logits, readout
from rarewords.model.rnnsearch import embed, encode
from rarewords.model.steps import gru_step

EOS = 0


def next_log_probabilities(p, encoded, state, previous_word):
    energy = torch.tanh(encoded.keys[0] + state @ p["attention.state"]) @ p["attention.score"]
    context = torch.softmax(energy, 0) @ encoded.annotations[0]
    previous = None if previous_word is None else embed(p, "target", torch.tensor([previous_word]))
    features = readout(p, state[None], context[None], previous)
    return torch.log_softmax(logits(p, features), 1)[0], context


def next_state(p, state, context, word):
    inputs = embed(p, "target", torch.tensor([word])) @ p["decoder.input"] + context @ p["decoder.context"]
    inputs[:, 2 * state.shape[0] :] += p["decoder.bias"]
    return gru_step(inputs, p["decoder.gates"], p["decoder.candidate"], state[None])[0]


@torch.no_grad()
def plain_beam_search(members, source, beam):
    """All finished hypotheses of one sentence (ids with EOS at the end of the source), cheapest per unit first."""
    encoded = [encode(p, torch.tensor(source)[:, None], torch.ones(len(source), 1, dtype=bool)) for p in members]
    live = [([], 0.0, [e.initial[0] for e in encoded])]
    finished, width = [], beam
    for step in range(3 * len(source)):
        if width == 0:
            break
        continuations = []
        for words, cost, states in live:
            looks = [
                next_log_probabilities(p, e, s, words[-1] if words else None)
                for p, e, s in zip(members, encoded, states)
            ]
            mean = sum(log_p for log_p, _ in looks) / len(members)
            for word, log_p in enumerate(mean.tolist()):
                if word == EOS and step < len(source) // 2:
                    continue
                continuations.append((cost - log_p, word, words, states, [context for _, context in looks]))
        live = []
        for cost, word, words, states, contexts in sorted(continuations, key=lambda c: c[0])[:width]:
            if word == EOS:
                finished.append((cost / (step + 1), words))
                width -= 1
            else:
                new = [next_state(p, s, c, word) for p, s, c in zip(members, states, contexts)]
                live.append(([*words, word], cost, new))
    return sorted(finished, key=lambda f: f[0])


@torch.no_grad()
def cost_of(members, source, words):
    """Negative mean log-probability of a given translation, EOS included."""
    encoded = [encode(p, torch.tensor(source)[:, None], torch.ones(len(source), 1, dtype=bool)) for p in members]
    total = 0.0
    for p, e in zip(members, encoded):
        state, previous = e.initial[0], None
        for word in [*words, EOS]:
            log_p, context = next_log_probabilities(p, e, state, previous)
            total -= log_p[word].item()
            state, previous = next_state(p, state, context, word), word
    return total / len(members)
