"""Sheets of inputs: assumptions, hours of demand, contracts, offers, workloads, sources."""
