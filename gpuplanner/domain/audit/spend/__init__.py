"""Spend in the past: rates, overflow, cost of workloads, stranded spend, inputs to figures."""
