"""Names that stand for one thing: what is spelled in several ways, what may be one, what tells two apart."""
