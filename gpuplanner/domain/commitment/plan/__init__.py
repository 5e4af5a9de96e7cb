"""The plan: layers, orders, verdicts on contracts, twelve months and what they come to."""
