"""Quotes that decide: which offers qualify for what is asked for, who gets what of it, what each quote is worth."""
