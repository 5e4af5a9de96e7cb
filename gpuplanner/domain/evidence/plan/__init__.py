"""Answers about a plan: its layers, orders and totals, trials of it, and plans side by side."""
