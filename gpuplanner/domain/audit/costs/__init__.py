"""What single things cost, and what changed between two periods."""
