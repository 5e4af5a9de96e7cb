"""Files for other programs: FOCUS rows, cube, price book, decisions, documents as tables."""
