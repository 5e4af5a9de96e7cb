"""The project file: saved whole or not at all, opened only when every part is sound."""
