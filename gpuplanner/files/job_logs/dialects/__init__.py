"""Other schedulers, trackers and public traces, one module a dialect."""
