"""Panels of actions: recommendations, checks, history."""
