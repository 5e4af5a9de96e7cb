"""The board: columns of cards with search, sort, groups, filter, drag and drop; side sheet and jobs of a card."""
