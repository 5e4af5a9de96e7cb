"""Everything that reads or writes; no Qt."""
