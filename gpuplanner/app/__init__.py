"""What the window needs and no widget knows: the document, background work, saving, settings."""
