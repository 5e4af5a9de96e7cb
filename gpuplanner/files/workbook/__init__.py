"""The procurement workbook: live formulas with cached values, one module per group of sheets."""
