"""Rolls out the pod template of a Deployment, by one ReplicaSet for each template.

What is to be done next is a pure function of the Deployment and its sets (`resize`), and so is what it
reports (`status`).
"""

from windlass.cluster.controller.deployment.controller import DeploymentController

__all__ = ["DeploymentController"]
