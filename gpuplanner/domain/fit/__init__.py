"""Hardware fit: which offers a pool may use."""
