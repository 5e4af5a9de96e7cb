"""What is shown at one moment, as values: figures, steps, rows and notices that several views have; no widgets."""
