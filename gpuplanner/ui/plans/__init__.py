"""The dialogs in which a plan, class rules and names are changed, and what a plan is of is chosen."""
