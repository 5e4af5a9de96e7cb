"""The audit of the past: utilization, stranded spend, leaks, cost of work, chargeback."""
