"""Parts of all views: palettes, type, icons, labels, fields, small dialogs."""
