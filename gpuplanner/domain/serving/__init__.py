"""Model serving: sizing of inference, sites, egress."""
