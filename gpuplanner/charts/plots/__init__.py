"""The charts, one module each; views pass the values."""
