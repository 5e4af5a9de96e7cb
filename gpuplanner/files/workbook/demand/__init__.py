"""Sheets of demand and of the past: contract use and overflow, by hour, cluster and month."""
