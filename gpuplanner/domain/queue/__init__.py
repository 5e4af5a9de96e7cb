"""Waiting: the jobs of a log run again on the GPUs of a plan, event by event, and how long they wait."""
