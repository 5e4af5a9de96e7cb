"""Importing: anything recognised, looked at and read, and what became of each of its rows."""
