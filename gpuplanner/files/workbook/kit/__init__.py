"""How the book is written: cells, expressions with their values, looks, charts."""
