"""What vendors are asked for: rows of requests, the numbers they bear, and which row a quote is for."""
