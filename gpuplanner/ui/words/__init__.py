"""Words of the window: figures, dates, names and sentences in the planner's language; no widgets."""
