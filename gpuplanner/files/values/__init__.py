"""From text to values: times, durations, numbers, counts, amounts, terms and names of GPUs."""
