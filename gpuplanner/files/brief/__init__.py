"""Writers of the board brief that need no window."""
