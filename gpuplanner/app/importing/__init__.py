"""Importing: files looked at, read in a thread, and taken into the project."""
