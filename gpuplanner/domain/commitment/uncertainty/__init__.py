"""How sure a plan is: bands, other prices, other sizes, and what its terms hang on."""
