"""One way in for tables: how a file is read, what its columns are, and how each of its rows ends."""
