"""Small lists of a planner: nodes, planned work, class rules, places, traffic, aliases."""
