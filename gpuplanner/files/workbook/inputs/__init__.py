"""Sheets of what is put in: assumptions, hours of demand, contracts, offers, workloads, sources."""
