"""Panels of today: use, demand, hardware fit, contracts."""
