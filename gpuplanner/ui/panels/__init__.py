"""The docked panels: each shows one side of the evaluation."""
