"""What every view is made of: palettes, type, icons, labels, fields, small dialogs."""
