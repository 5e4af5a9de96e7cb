"""From bytes to records: what a file is, how it is encoded and packed, and its rows as text."""
