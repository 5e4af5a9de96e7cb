"""Workers that decide what to buy of whom and where: awards, placement, sizing, training, traffic."""
