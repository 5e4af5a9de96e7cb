"""From accepted job rows to the demand cube, and the facts of each workload."""
