"""What the window says: figures, dates, names and sentences in the planner's language; no widgets."""
