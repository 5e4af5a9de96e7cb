"""What a log gave: workloads and their demand, how long it is and how much of it can be trusted."""
