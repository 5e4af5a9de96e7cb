"""Everything the planner sees: windows, board, panels, dialogs. Views are told what to show and emit intents."""

import builtins

# Theirs reads and keeps the source of each module for a syntax, 50 MB, and fills `import *`: ours uses neither.
# Where Qt was there before us it has put Python's own aside.
plain_import = getattr(builtins, "__orig_import__", builtins.__import__)

import PySide6.QtCore  # noqa: E402, F401 - it puts an import of its own in place of Python's

builtins.__import__ = plain_import
