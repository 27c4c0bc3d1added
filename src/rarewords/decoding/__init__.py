"""Decoding: beam search over one model or a geometric-mean ensemble, and text around it."""
