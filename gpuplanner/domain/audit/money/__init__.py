"""Money of the window: rates, what was paid and used, and the bridge to stranded spend."""
