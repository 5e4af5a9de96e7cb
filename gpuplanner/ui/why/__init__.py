"""Why this number: the popover, and traces of figures in the words of the window."""
