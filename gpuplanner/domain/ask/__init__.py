"""Ask in words: forms of questions and changes, their meaning, and the answer in one sentence."""
