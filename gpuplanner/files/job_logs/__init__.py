"""Job logs: one module per dialect, what they share, and the reduction from rows to cube."""
