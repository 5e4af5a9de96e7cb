"""Everything the planner sees: windows, board, panels, dialogs. Views are told what to show and emit intents."""

import builtins

plain_import = builtins.__import__

import PySide6.QtCore  # noqa: E402, F401 - it puts an import of its own in place of Python's

# theirs reads the source of each module for a syntax, and fills `import *`, neither of which ours uses
builtins.__import__ = plain_import
