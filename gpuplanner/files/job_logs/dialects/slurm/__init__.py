"""Job logs of Slurm: sacct, squeue, JSON, its database, and tools that keep its records."""
