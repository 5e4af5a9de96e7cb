"""Training runs: whether they fit, step time, end date, cost of network and checkpoints."""
