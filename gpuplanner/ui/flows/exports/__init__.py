"""What goes out in files: the place is asked for, and a thread writes what the plan that is shown comes to."""
