"""Importing files: one dialog with its pages, its state per file, and its words."""
