"""The brief on paper: pages of vectors as PDF."""
