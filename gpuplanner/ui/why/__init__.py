"""Why a number is what it is: the popover, and traces of figures as answers in the words of the window."""
