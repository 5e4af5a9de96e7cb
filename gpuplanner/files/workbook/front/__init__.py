"""The sheets for people: what to decide, order, budget and watch, each figure a reference into the sheets behind."""
