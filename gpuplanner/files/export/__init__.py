"""What is written for other programs: FOCUS rows, the cube, the price book, the log of decisions."""
