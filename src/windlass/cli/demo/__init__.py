"""`windlass demo`: a control plane, all operators and what they need, at work on one screen."""
