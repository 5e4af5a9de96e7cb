"""Workers on plans: compared, tried before an edit, at other prices, at flip points, and reports of many plans."""
