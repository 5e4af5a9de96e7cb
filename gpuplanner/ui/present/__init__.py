"""Presenter mode: what the window shows as five scenes for a projector."""
