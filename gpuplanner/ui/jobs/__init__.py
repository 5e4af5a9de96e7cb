"""The jobs behind a card: their sheet, its table, and why of its figures."""
