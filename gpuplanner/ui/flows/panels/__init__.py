"""Flows of panels: each asks threads and turns choices into steps of Undo."""
