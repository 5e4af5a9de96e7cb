"""What a planner wants done, from the asking to one step of Undo, and the session that it is told of."""
