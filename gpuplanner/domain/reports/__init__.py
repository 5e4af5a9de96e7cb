"""Reports: each declared once as data, and rendered to window, terminal, brief, sheet and document."""
