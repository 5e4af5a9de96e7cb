"""Decisions of a plan in the window: cards under the headline, and the page of all decisions."""
