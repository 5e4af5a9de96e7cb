"""Price lists: gpuplanner CSV, other tables, and formats of clouds and tools."""
