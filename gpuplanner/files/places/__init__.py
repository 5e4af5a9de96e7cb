"""Places: users' cities, sites, regions and countries."""
