"""Sheets of the plan: layers, orders, twelve months side by side, and what vendors are asked."""
