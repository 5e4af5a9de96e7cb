"""One card of the board: content, drawing, list and sorting."""
