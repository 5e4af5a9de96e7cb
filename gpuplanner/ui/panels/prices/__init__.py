"""The panel Prices: the offers that plans count with, to filter, compare and edit."""
