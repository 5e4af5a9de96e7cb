"""Dialogs that change a plan, its scope, class rules and aliases."""
