"""The backtest: the log walked forward month by month, beside other ways to buy."""
