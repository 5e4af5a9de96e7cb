"""Small lists that a planner keeps: nodes, planned work, class rules, places, traffic, names that are one."""
