"""Logs that outgrow a laptop: the same expression on Spark."""
