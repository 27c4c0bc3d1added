"""The network written from its equations (docs/reproduction.md, section Network), one sentence pair at a time.

Shares no code with the package. `sentence_loss` uses plain tensor operations so that autograd gives the reference
gradients; `scalar_loss` uses nothing but Python floats.
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


def sentence_loss(p, source, target):
    d = p["decoder.initial"].shape[0]
    enc, dec = split_weights(p, d)
    x = [p["source.embedding"][w] + p["source.embedding_bias"] for w in source]
    y = [p["target.embedding"][w] + p["target.embedding_bias"] for w in target]

    def gru(w, inputs, h):
        r = torch.sigmoid(inputs @ w["Wr"] + h @ w["R"])
        z = torch.sigmoid(inputs @ w["Wz"] + h @ w["G"])
        c = torch.tanh(inputs @ w["Wx"] + w["b"] + (r * h) @ w["U"])
        return z * c + (1 - z) * h

    length = len(source)
    forward, backward = [None] * length, [None] * length
    h = torch.zeros_like(p["encoder.bias"][0])
    for t in range(length):
        h = forward[t] = gru(enc[0], x[t], h)
    h = torch.zeros_like(h)
    for t in reversed(range(length)):
        h = backward[t] = gru(enc[1], x[t], h)
    a = [torch.cat([forward[t], backward[t]]) for t in range(length)]
    s = torch.tanh(backward[0] @ p["decoder.initial"] + p["decoder.initial_bias"])
    total = 0
    for i, word in enumerate(target):
        q = torch.stack(
            [torch.tanh(s @ p["attention.state"] + a_j @ p["attention.annotation"]) @ p["attention.score"] for a_j in a]
        )
        alpha = torch.exp(q) / torch.exp(q).sum()
        ctx = sum(alpha[j] * a[j] for j in range(length))
        t_i = ctx @ p["readout.context"] + s @ p["readout.state"] + p["readout.bias"]
        if i > 0:
            t_i = t_i + y[i - 1] @ p["readout.previous"]
        u = torch.stack([torch.maximum(t_i[2 * k], t_i[2 * k + 1]) for k in range(d // 2)])
        scores = (u @ p["readout.maxout"]) @ p["readout.output"].T + p["readout.output_bias"]
        total = total - torch.log(torch.exp(scores[word]) / torch.exp(scores).sum())
        r = torch.sigmoid(y[i] @ dec["Wr"] + ctx @ dec["Cr"] + s @ dec["R"])
        z = torch.sigmoid(y[i] @ dec["Wz"] + ctx @ dec["Cz"] + s @ dec["G"])
        c = torch.tanh(y[i] @ dec["Wx"] + dec["b"] + ctx @ dec["C"] + (r * s) @ dec["U"])
        s = z * c + (1 - z) * s
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
