"""Training: batches, Adadelta, checkpoints, the loop."""
