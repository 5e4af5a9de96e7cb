"""Sheets of answers: summary, checks, method, comparisons."""
