"""What stands round the board and its panels: headline, bars, lines, strips, What if."""
