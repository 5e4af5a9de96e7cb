"""Schedulers, clouds, Kubernetes, bills, trackers and public traces: a module a dialect or a family."""
