"""gpuplanner: which GPUs, for which workloads, on what terms."""

__version__ = "0.1.0"
