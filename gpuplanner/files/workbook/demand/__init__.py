"""Sheets of demand and of the past: what contracts serve and leave over, by hour, cluster and month."""
