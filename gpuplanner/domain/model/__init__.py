"""Values: what a project consists of."""
