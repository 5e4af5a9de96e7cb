"""What a planner wants done, from the asking to one step of Undo: told a session, never the window."""
