"""Price lists of clouds and tools in forms of their own."""
