"""Reports: each declared once as data, and rendered to window, terminal, brief, sheet, scene and document."""
