"""Flows of the board: requests of cards, drops, and jobs."""
