"""The audit page of Today: its cards, and where their figures are explained."""
