"""Panels of commitment: the load duration curve with its layers, and whether the advice would have paid."""
