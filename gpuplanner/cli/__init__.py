"""The command line: arguments -> the same functions the window calls -> JSON or a table."""
