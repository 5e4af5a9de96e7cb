"""Traffic of endpoints, and the models that are served."""
