"""The network of Bahdanau et al. (2015) as in the paper's section 4; the equations are in docs/reproduction/network.md.

Parameters are a dictionary of named tensors; everything here is a function of tensors and knows nothing of files.
Sequences are time-major: (positions, batch, features). Only the attention reads annotations batch-major.
"""
