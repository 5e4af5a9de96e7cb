"""Reports of a plan: layers, orders, totals, horizons, limits, where savings come from, one provider alone."""
