"""Spend in the past: rates, overflow, the bridge to stranded spend, inputs to figures of contracts and clusters."""
