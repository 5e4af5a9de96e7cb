"""The dialogs in which a plan is changed, and what it is a plan of is chosen."""
