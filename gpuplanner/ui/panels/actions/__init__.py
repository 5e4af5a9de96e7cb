"""Panels of what to do and what was done: recommendations, checks, history."""
