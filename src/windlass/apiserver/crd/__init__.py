"""Custom resource definitions: what they must be, and how they come to be served."""
