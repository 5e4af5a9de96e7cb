"""The main window: puts the views together, and what starts it."""
