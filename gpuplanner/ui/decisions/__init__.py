"""Decisions of a plan in the window: the cards under the headline, and the page with all of them."""
