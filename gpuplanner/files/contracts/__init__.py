"""Contracts: our own tables, anybody's, and what clouds and FOCUS export."""
