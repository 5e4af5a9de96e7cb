"""Importing files: one dialog with its pages, what it knows of each file, and its words."""
