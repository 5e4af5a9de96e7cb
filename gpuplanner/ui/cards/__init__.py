"""One card of the board: what it shows, how it is drawn, listed and sorted."""
