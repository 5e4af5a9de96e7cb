"""Price lists: our own, anybody's, and those of clouds and tools in forms of their own."""
