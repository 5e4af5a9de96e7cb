"""Sheets of answers: the summary, checks, method, and what stands beside the plan."""
