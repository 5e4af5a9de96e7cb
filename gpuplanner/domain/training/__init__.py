"""Training runs: whether they fit, how fast a step is, when they are done, what network and checkpoints cost."""
