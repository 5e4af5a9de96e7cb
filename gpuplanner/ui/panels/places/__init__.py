"""Panels of serving: which GPUs serve an endpoint, and from which sites."""
