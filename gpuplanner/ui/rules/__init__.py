"""Class rules and names: their dialogs, rows, and why of their figures."""
