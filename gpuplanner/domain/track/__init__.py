"""Plan vs. actual: a saved plan against a later log, in $ by cause, and remaining commitments."""
