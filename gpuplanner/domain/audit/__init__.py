"""The audit of the past: utilization, stranded spend, leaks, what work cost and who pays."""
