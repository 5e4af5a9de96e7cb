"""The procurement workbook: live formulas with cached values, one room per group of sheets."""
