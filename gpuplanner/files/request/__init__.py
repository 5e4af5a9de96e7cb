"""RFQ files for vendors, without formulas, and the position of their cells."""
