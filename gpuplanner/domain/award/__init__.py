"""Award of quotes: eligible offers, GPUs per vendor, value of each quote."""
