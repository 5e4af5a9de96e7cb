"""Figures: each declared once, its formula written once and read as values, as an explanation, as cells, as a unit."""
