"""What stands between the network's matrix products on a CPU, in as few passes through the memory as there are.

Compiled with numba. The plain operations of torch in `recurrence.py`, `readout.py` and `reference_step.py` compute the
same, on GPUs and as the reference; tests hold both equal in value and gradient.
"""
