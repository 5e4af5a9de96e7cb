"""Figures in tables, lists and beside charts: aligned, ruled, each of them able to answer why."""
