"""The evidence behind the figures of plans, one or several side by side."""
