"""The advice in plain words."""
