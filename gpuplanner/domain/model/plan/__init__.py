"""Inputs of a plan: scenario, spells, changes, planned work, splits, merged cards and limits."""
