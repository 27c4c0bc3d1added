"""The network written from its equations (docs/reproduction/network.md), one sentence pair at a time.

Shares no code with the package. `sentence_loss` uses plain tensor operations so that autograd gives the reference
gradients, and the functions that it is made of serve the plain search; `scalar_loss` uses nothing but Python floats.
`adadelta_step` is the optimiser from its equations, section Optimiser.
"""

import math

import torch


def split_weights(p, d):
    """The package stores gates side by side; the equations name them one by one."""
    enc = []
    for k in range(2):
        w, g = p["encoder.input"][k], p["encoder.gates"][k]
        enc.append(
            {
                "Wr": w[:, :d], "Wz": w[:, d : 2 * d], "Wx": w[:, 2 * d :],
                "R": g[:, :d], "G": g[:, d:], "U": p["encoder.candidate"][k], "b": p["encoder.bias"][k],
            }
        )  # fmt: skip
    w, c, g = p["decoder.input"], p["decoder.context"], p["decoder.gates"]
    dec = {
        "Wr": w[:, :d], "Wz": w[:, d : 2 * d], "Wx": w[:, 2 * d :],
        "Cr": c[:, :d], "Cz": c[:, d : 2 * d], "C": c[:, 2 * d :],
        "R": g[:, :d], "G": g[:, d:], "U": p["decoder.candidate"], "b": p["decoder.bias"],
    }  # fmt: skip
    return enc, dec


def embed(p, side, word):
    return p[f"{side}.embedding"][word] + p[f"{side}.embedding_bias"]


def new_state(r, z, h, inputs, u):
    """The reset gate acts before the product with the matrix u, the update gate on the candidate."""
    return z * torch.tanh(inputs + (r * h) @ u) + (1 - z) * h


def encode(p, source):
    """Annotations (T, 2·d) and the decoder's first state."""
    d = p["decoder.initial"].shape[0]
    states = []
    for w, order in zip(split_weights(p, d)[0], (range(len(source)), reversed(range(len(source))))):
        h, of_position = torch.zeros_like(w["b"]), {}
        for t in order:
            x = embed(p, "source", source[t])
            r, z = torch.sigmoid(x @ w["Wr"] + h @ w["R"]), torch.sigmoid(x @ w["Wz"] + h @ w["G"])
            h = of_position[t] = new_state(r, z, h, x @ w["Wx"] + w["b"], w["U"])
        states.append(of_position)
    forward, backward = states
    annotations = torch.stack([torch.cat([forward[t], backward[t]]) for t in range(len(source))])
    return annotations, torch.tanh(backward[0] @ p["decoder.initial"] + p["decoder.initial_bias"])


def look(p, annotations, s):
    """The context of the next word."""
    query = s @ p["attention.state"]
    q = torch.stack([torch.tanh(query + a @ p["attention.annotation"]) @ p["attention.score"] for a in annotations])
    alpha = torch.exp(q) / torch.exp(q).sum()
    return sum(weight * a for weight, a in zip(alpha, annotations))


def log_probabilities(p, s, ctx, previous):
    """Of all words, next; `previous` is the word before, None at the first position."""
    t_i = ctx @ p["readout.context"] + s @ p["readout.state"] + p["readout.bias"]
    if previous is not None:
        t_i = t_i + embed(p, "target", previous) @ p["readout.previous"]
    u = torch.stack([torch.maximum(t_i[2 * k], t_i[2 * k + 1]) for k in range(len(t_i) // 2)])
    scores = (u @ p["readout.maxout"]) @ p["readout.output"].T + p["readout.output_bias"]
    return scores - torch.log(torch.exp(scores).sum())


def update(p, s, ctx, word):
    """The decoder's state after `word`."""
    w, y = split_weights(p, len(s))[1], embed(p, "target", word)
    r = torch.sigmoid(y @ w["Wr"] + ctx @ w["Cr"] + s @ w["R"])
    z = torch.sigmoid(y @ w["Wz"] + ctx @ w["Cz"] + s @ w["G"])
    return new_state(r, z, s, y @ w["Wx"] + w["b"] + ctx @ w["C"], w["U"])


def sentence_loss(p, source, target):
    annotations, s = encode(p, source)
    total, previous = 0, None
    for word in target:
        ctx = look(p, annotations, s)
        total = total - log_probabilities(p, s, ctx, previous)[word]
        s, previous = update(p, s, ctx, word), word
    return total


def scalar_loss(p, source, target):
    d = len(p["decoder.initial"])
    enc, dec = split_weights(p, d)
    p = {k: v.tolist() for k, v in p.items()}
    enc = [{k: v.tolist() for k, v in side.items()} for side in enc]
    dec = {k: v.tolist() for k, v in dec.items()}

    def times(vector, matrix):
        return [sum(v * row[c] for v, row in zip(vector, matrix)) for c in range(len(matrix[0]))]

    def plus(*vectors):
        return [sum(values) for values in zip(*vectors)]

    def sigmoid(vector):
        return [1 / (1 + math.exp(-v)) for v in vector]

    def tanh(vector):
        return [math.tanh(v) for v in vector]

    def mix(z, c, h):
        return [zi * ci + (1 - zi) * hi for zi, ci, hi in zip(z, c, h)]

    def encoder(w, order):
        h, states = [0.0] * d, {}
        for t in order:
            x = plus(p["source.embedding"][source[t]], p["source.embedding_bias"])
            r = sigmoid(plus(times(x, w["Wr"]), times(h, w["R"])))
            z = sigmoid(plus(times(x, w["Wz"]), times(h, w["G"])))
            c = tanh(plus(times(x, w["Wx"]), w["b"], times([a * b for a, b in zip(r, h)], w["U"])))
            h = states[t] = mix(z, c, h)
        return states

    positions = range(len(source))
    forward, backward = encoder(enc[0], positions), encoder(enc[1], reversed(positions))
    a = [forward[t] + backward[t] for t in positions]
    s = tanh(plus(times(backward[0], p["decoder.initial"]), p["decoder.initial_bias"]))
    total, before = 0.0, None
    for word in target:
        query = times(s, p["attention.state"])
        q = [
            sum(x * v for x, v in zip(tanh(plus(query, times(a_j, p["attention.annotation"]))), p["attention.score"]))
            for a_j in a
        ]
        norm = sum(math.exp(x) for x in q)
        ctx = [sum(math.exp(q[j]) / norm * a[j][k] for j in positions) for k in range(2 * d)]
        t_i = plus(times(ctx, p["readout.context"]), times(s, p["readout.state"]), p["readout.bias"])
        if before is not None:
            t_i = plus(t_i, times(before, p["readout.previous"]))
        u = [max(t_i[2 * k], t_i[2 * k + 1]) for k in range(d // 2)]
        features = times(u, p["readout.maxout"])
        scores = [
            sum(f * w for f, w in zip(features, row)) + b
            for row, b in zip(p["readout.output"], p["readout.output_bias"])
        ]
        total -= scores[word] - math.log(sum(math.exp(x) for x in scores))
        y = before = plus(p["target.embedding"][word], p["target.embedding_bias"])
        r = sigmoid(plus(times(y, dec["Wr"]), times(ctx, dec["Cr"]), times(s, dec["R"])))
        z = sigmoid(plus(times(y, dec["Wz"]), times(ctx, dec["Cz"]), times(s, dec["G"])))
        gated = [x * h for x, h in zip(r, s)]
        c = tanh(plus(times(y, dec["Wx"]), dec["b"], times(ctx, dec["C"]), times(gated, dec["U"])))
        s = mix(z, c, s)
    return total


def adadelta_step(parameters, gradients, squares, deltas, cutoff):
    """New parameters and accumulators (plain dictionaries of tensors) after one step on finite gradients."""
    norm = math.sqrt(sum(float((g * g).sum()) for g in gradients.values()))
    moved, new_squares, new_deltas = {}, {}, {}
    for name, g in gradients.items():
        g = g * cutoff / norm if norm >= cutoff else g
        new_squares[name] = 0.95 * squares[name] + 0.05 * g**2
        step = torch.sqrt(deltas[name] + 1e-6) / torch.sqrt(new_squares[name] + 1e-6) * g
        moved[name] = parameters[name] - step
        new_deltas[name] = 0.95 * deltas[name] + 0.05 * step**2
    return moved, new_squares, new_deltas
