"""Reducing on Spark: logs that outgrow a laptop."""
