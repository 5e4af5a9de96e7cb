"""Workers that look at the past: backtest, waits, track, unit costs, jobs, answers about the audit."""
