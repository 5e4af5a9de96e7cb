"""A plan held against something: today, doing nothing, another plan, a joint one, a target of coverage."""
