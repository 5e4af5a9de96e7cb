"""Shared by readers and writers: folders, memory, the embedded engine, and atomic writes."""
