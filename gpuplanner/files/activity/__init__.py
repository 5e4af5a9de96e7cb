"""What GPUs did while they were held: samples of GPU activity from monitoring, joined with the jobs."""
