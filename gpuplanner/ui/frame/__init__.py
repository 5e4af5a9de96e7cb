"""Views around the board and its panels: headline, bars, lines, strips, What if."""
