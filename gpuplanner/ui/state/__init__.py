"""Values that several views show: figures, steps, rows and notices; no widgets."""
