"""Sheets of the plan: layers, orders, twelve months side by side, RFQ rows."""
