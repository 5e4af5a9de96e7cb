"""The plan, its advice and its outlook in words, the same in every medium."""
