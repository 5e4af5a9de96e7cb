"""What readers and writers stand on: folders, memory, the embedded engine, and files written whole or not at all."""
