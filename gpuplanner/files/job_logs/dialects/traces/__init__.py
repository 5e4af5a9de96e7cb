"""Public traces of clusters: one module for each form."""
