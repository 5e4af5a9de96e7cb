"""Samples of GPU activity from monitoring, joined with the jobs."""
