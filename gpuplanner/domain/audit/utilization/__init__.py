"""Utilization: the contract that served each hour of demand in the window, exactly; and contracts outside it."""
