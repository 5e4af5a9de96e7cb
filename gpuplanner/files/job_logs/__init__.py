"""Job logs: a module a dialect or a family, what they share, and the reduction from rows to cube."""
