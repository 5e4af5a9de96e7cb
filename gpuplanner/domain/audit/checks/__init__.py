"""Checks of the past: what to know about log, contracts and prices behind the figures."""
