"""Schedulers, clouds, Kubernetes, bills, trackers and public traces: one module per dialect or family."""
