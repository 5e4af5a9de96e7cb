"""From bytes to records: file type, encoding, compression, and rows as text."""
