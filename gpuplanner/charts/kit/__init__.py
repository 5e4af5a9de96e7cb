"""Parts of charts: frame, axes, colors, crosshair, tips, zoom and window words."""
