"""Job logs of Kubernetes: pods, schedulers on top of it, and allocations of cost tools."""
