"""The main window: puts the views together, with menus, palette and start-up."""
