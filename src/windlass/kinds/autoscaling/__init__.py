"""The versions of autoscaling."""
