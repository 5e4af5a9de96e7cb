"""What the sheet Exported is made of: what is watched, formulas worked out again, and its rows."""
