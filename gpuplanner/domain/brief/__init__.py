"""The board brief as a value: pages of sentences, figures, tables and charts, for writers of any format."""
