"""Summary: every total, the three horizons, the twelve months, and their charts."""
