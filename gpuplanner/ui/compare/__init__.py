"""Plans side by side: what differs, what each buys, and how today's spend becomes each of them."""
