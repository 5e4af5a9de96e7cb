"""Ask in words: forms of questions and changes, what is meant by them, and the answer in one sentence."""
