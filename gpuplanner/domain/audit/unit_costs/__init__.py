"""Unit costs: cost of each training run, model, experiment, endpoint, order and user."""
