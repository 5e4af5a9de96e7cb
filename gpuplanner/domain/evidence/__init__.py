"""The evidence behind figures, of the past and of plans: their rows and hours."""
