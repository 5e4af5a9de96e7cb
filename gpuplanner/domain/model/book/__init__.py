"""Contracts, offers, and the prices of both."""
