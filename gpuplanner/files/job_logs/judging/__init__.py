"""Shared by all dialects: rows become jobs, each imported, rejected or skipped."""
