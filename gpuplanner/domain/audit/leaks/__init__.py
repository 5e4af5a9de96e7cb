"""Leaks: the rules that find them, what each is called, and the list in which no hour counts twice."""
