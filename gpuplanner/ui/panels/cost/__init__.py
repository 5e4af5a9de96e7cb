"""Panels of money: what each run, model and endpoint cost, and the way from today's spend to the plan's."""
