"""Lists of nodes: a node with its GPUs, and one module for each form of list."""
