"""The model itself: pure values and functions; no Qt, no files, no clock."""
