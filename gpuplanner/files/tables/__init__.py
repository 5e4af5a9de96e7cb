"""One way in for small tables: headings, mapping of columns, cells, and what their rows came to."""
