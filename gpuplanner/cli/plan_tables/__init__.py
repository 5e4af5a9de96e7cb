"""Plans, awards, backtests, waits, tracks and costs as text in a terminal."""
