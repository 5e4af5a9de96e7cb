"""One leak: its words, its sheet, and decisions on it."""
