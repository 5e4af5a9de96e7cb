"""The board: columns of cards with search, sort, groups, filter, drag and drop, and the side sheet."""
