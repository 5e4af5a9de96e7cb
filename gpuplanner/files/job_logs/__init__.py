"""Job logs: one module per dialect or family, their shared parts, and the reduction from rows to cube."""
