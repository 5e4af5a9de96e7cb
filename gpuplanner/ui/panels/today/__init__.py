"""Panels of what is there: use, demand, hardware fit, contracts."""
