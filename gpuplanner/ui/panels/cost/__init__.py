"""Panels of money: cost per run, model and endpoint, and the steps from today's spend to the plan's."""
