"""What all dialects share: how rows become jobs, and each row accepted, rejected or ignored."""
