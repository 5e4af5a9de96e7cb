"""Serving users: inference sizing, where to serve from, how long the way is, what leaving data costs."""
