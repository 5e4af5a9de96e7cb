"""The policy of each slice: wait or commit, at which rate, from when."""
