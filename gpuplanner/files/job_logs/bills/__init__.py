"""Bills of clouds: which rows are usage of GPUs, and the runs they stand for."""
