"""What Kubernetes and schedulers on it say of pods and workloads."""
