"""What should exist for a preview: object in, object out."""

from preview.types import Preview
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Service


def deployment(preview: Preview) -> Deployment:
    """The application's pods."""
    name, spec = preview.metadata.name, preview.spec
    labels = {"preview": name}
    container = {"name": "web", "image": spec.image, "ports": [{"containerPort": spec.port}]}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    wanted = {"replicas": spec.replicas, "selector": {"matchLabels": labels}, "template": template}
    return Deployment.from_wire({"metadata": {"name": name}, "spec": wanted})


def service(preview: Preview) -> Service:
    """One address for all of them."""
    name = preview.metadata.name
    port = {"port": 80, "targetPort": preview.spec.port}
    return Service.from_wire(
        {"metadata": {"name": name}, "spec": {"selector": {"preview": name}, "ports": [port]}}
    )


def is_rolled_out(live: Deployment) -> bool:
    """Whether all pods are those that are wanted now, and serve."""
    seen = live.status
    is_fresh = seen.observed_generation == live.metadata.generation
    return (
        is_fresh and seen.updated_replicas == seen.available_replicas == seen.replicas == live.spec.replicas
    )
