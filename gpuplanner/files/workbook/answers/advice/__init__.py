"""Advice: where savings come from, what the plan may come to, what it binds, what limits cost."""
