"""Figures in tables, lists and charts: aligned, ruled, and each with its Why."""
