"""Small lists that a planner keeps: nodes, planned work, class rules, names that are one."""
