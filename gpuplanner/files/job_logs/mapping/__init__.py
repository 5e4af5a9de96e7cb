"""Any other table of jobs: what its columns may be, and how it is read through a mapping of them."""
