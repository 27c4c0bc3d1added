"""The search of docs/reproduction/decoding.md, without batches: one sentence, Python lists, no shortcuts.

Shares no code with the package: the network is that of network.py beside it.
"""

import torch
from network import encode, log_probabilities, look, update

EOS = 0


@torch.no_grad()
def plain_beam_search(members, source, beam, units=None):
    """All finished hypotheses of one sentence (ids with EOS at the end of the source), cheapest per unit first.

    With `units` only these can be produced, and probabilities are those among them.
    """
    encoded = [encode(p, source) for p in members]
    live = [([], 0.0, [initial for _, initial in encoded])]
    finished, width = [], beam
    for step in range(3 * len(source)):
        if width == 0:
            break
        continuations = []
        for words, cost, states in live:
            contexts = [look(p, annotations, s) for p, (annotations, _), s in zip(members, encoded, states)]
            previous = words[-1] if words else None
            each = [log_probabilities(p, s, c, previous) for p, s, c in zip(members, states, contexts)]
            allowed = range(len(each[0])) if units is None else sorted(units)
            total = sum(own[allowed] - torch.log(torch.exp(own[allowed]).sum()) for own in each)
            for word, log_p in zip(allowed, (total / len(members)).tolist()):
                if word == EOS and step < len(source) // 2:
                    continue
                continuations.append((cost - log_p, word, words, states, contexts))
        live = []
        for cost, word, words, states, contexts in sorted(continuations, key=lambda c: c[0])[:width]:
            if word == EOS:
                finished.append((cost / (step + 1), words))
                width -= 1
            else:
                new = [update(p, s, c, word) for p, s, c in zip(members, states, contexts)]
                live.append(([*words, word], cost, new))
    return sorted(finished, key=lambda f: f[0])
