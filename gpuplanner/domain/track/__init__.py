"""Track: a saved plan against what came since, in $ by what moved them, and what is left of each contract."""
