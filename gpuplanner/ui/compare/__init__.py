"""Plans side by side: differences, orders, and the steps from today's spend to each plan."""
