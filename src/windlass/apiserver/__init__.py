"""A Kubernetes API server in Python: starts in milliseconds, in this process or on a port, and behaves."""
