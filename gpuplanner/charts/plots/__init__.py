"""The charts themselves, one module each; told what to show."""
