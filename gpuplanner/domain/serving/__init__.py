"""Serving models to users: sizing of inference, where it stands, what leaves the site."""
