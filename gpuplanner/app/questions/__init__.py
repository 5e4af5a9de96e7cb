"""Questions answered in a thread: worked out when they are looked at, kept for as long as they hold."""
