"""The audit page of Today: its cards, and who answers for their figures."""
