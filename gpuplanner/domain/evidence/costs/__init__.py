"""Answers about costs: of single things, who pays, and changes between two periods."""
