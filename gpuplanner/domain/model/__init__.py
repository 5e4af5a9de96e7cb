"""Values: the parts of a project."""
