"""The plan: layers, orders, contract decisions, twelve months and their totals."""
