"""Actions of the planner, from the request to one step of Undo, and their session."""
