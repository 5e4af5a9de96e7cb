"""Importing: recognize, preview and read any file, and report the result of each row."""
