"""Contracts as clouds and FOCUS export them."""
