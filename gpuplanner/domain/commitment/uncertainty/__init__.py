"""Uncertainty of a plan: ranges, other prices, other sizes, and assumptions that would change the terms."""
