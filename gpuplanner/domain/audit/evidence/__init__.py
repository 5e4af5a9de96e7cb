"""The evidence behind the audit's figures: which rows and hours each stands on."""
