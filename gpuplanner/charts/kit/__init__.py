"""What charts are made of: frame, axes, colours, crosshair, tips, zoom, and the words of the window."""
