"""The evidence behind figures, of the past and of plans: which rows and hours each stands on."""
