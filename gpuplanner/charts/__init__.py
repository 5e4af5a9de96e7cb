"""Charts: plots that are told what to draw, in colours they are given."""
