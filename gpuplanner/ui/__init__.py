"""Everything the planner sees: windows, board, panels, dialogs. Views are told what to show and emit intents."""
