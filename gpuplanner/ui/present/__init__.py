"""Presenter mode: the pages of the brief on a full screen, a pointer, and hidden names."""
