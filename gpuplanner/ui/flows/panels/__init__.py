"""Flows of one panel each: they ask for what it shows, and turn what is done in it into edits."""
