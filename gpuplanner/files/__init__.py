"""Everything that reads or writes: job logs, contracts, prices, project file, workbook."""
