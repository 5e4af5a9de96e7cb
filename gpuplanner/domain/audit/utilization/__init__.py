"""Utilization: the contract that served each hour of demand in the log, and contracts outside the log."""
