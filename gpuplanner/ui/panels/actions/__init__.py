"""Panels of actions: checks, history."""
