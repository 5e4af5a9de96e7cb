"""Evaluating: figures, advice and outlook of the newest project, worked out in a thread."""
