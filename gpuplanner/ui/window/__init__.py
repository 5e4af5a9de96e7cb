"""The main window: puts the views together, its menus and palette, and what starts it."""
