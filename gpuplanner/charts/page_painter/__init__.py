"""Pages painted on paper or on a screen: sentences, tables, figures and the window's own charts."""
