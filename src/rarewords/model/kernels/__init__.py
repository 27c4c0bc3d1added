"""What stands between the matrix products of the recurrences, one operation of torch each: one launch on a GPU.

Elsewhere, and where the kernels of `cuda.py` cannot be used, they are the functions of `plain.py`, which say what each
of them computes.
"""

from __future__ import annotations

import torch

from rarewords.model.kernels import cuda, plain

_LIBRARY = torch.library.Library("rarewords", "DEF")
for _name, _arguments in {
    "gates": "Tensor(a!) gates, Tensor mask, Tensor state, Tensor? more, Tensor(b!) reset_state",
    "new_state": "Tensor(a!) candidate, Tensor update, Tensor state, Tensor(b!) out",
    "attention": "Tensor keys, Tensor query, Tensor score, Tensor source_mask, Tensor(a!) weights",
    "state_gradients": (
        "Tensor grad, Tensor update, Tensor candidate, Tensor state, Tensor(a!) grad_update, Tensor(b!) grad_candidate"
    ),
    "gate_gradients": (
        "Tensor grad_reset_state, Tensor grad, Tensor reset, Tensor update, Tensor state, Tensor? more, "
        "Tensor(a!) grad_reset, Tensor(b!) before"
    ),
    "attention_gradients": (
        "Tensor grad_weights, Tensor weights, Tensor keys, Tensor query, Tensor score, "
        "Tensor(a!) grad_query, Tensor(b!) grad_keys, Tensor(c!) grad_score"
    ),
}.items():
    _LIBRARY.define(f"{_name}({_arguments}) -> ()")
    _LIBRARY.impl(_name, getattr(plain, _name), "CompositeExplicitAutograd")
    _LIBRARY.impl(_name, cuda.implementation(_name), "CUDA")

gates = torch.ops.rarewords.gates.default
new_state = torch.ops.rarewords.new_state.default
attention = torch.ops.rarewords.attention.default
state_gradients = torch.ops.rarewords.state_gradients.default
gate_gradients = torch.ops.rarewords.gate_gradients.default
attention_gradients = torch.ops.rarewords.attention_gradients.default
