"""The commitment engine: how much to commit, and for how long."""
