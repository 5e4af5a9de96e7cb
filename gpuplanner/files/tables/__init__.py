"""One reader for small tables: headings, mapping of columns, cells, and results per row."""
