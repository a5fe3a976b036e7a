"""Manifests that the tests of kubectl apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Manifest = dict[str, Any]

LABELS = {"app": "web"}


def config_map(name: str, labels: dict[str, str] | None = None, /, **data: str) -> Manifest:
    """A ConfigMap."""
    metadata = {"name": name, "labels": labels} if labels else {"name": name}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def pod(name: str, **spec: Any) -> Manifest:
    """A Pod of one container."""
    container = {"name": "web", "image": "nginx:1.27", "ports": [{"name": "http", "containerPort": 80}]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": LABELS},
        "spec": {"containers": [container], **spec},
    }


def deployment(name: str, replicas: int = 2) -> Manifest:
    """A Deployment of such Pods."""
    template = {"metadata": {"labels": LABELS}, "spec": pod("")["spec"]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "labels": LABELS},
        "spec": {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": template},
    }


def service(name: str) -> Manifest:
    """A Service in front of such Pods."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "labels": LABELS},
        "spec": {"selector": LABELS, "ports": [{"name": "http", "port": 80, "targetPort": "http"}]},
    }


@dataclass(frozen=True)
class Backups:
    """A kind of our own, under names that nobody else on the server has, as they end in `suffix`."""

    suffix: str

    @property
    def group(self) -> str:
        """Its group."""
        return f"{self.suffix}.example.com"

    @property
    def plural(self) -> str:
        """Its resource."""
        return f"backup{self.suffix}s"

    @property
    def short(self) -> str:
        """Its short name."""
        return f"bk{self.suffix}"

    @property
    def category(self) -> str:
        """Its category."""
        return f"saved{self.suffix}"

    @property
    def name(self) -> str:
        """The name of its definition."""
        return f"{self.plural}.{self.group}"

    def definition(self) -> Manifest:
        """Its definition: a schema with descriptions, printer columns, a status and a scale."""
        names = {
            "plural": self.plural,
            "singular": f"backup{self.suffix}",
            "kind": f"Backup{self.suffix}",
            "shortNames": [self.short],
            "categories": [self.category],
        }
        return {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": self.name},
            "spec": {"group": self.group, "names": names, "scope": "Namespaced", "versions": [_version()]},
        }

    def make(self, name: str, **spec: Any) -> Manifest:
        """One of them."""
        return {
            "apiVersion": f"{self.group}/v1",
            "kind": f"Backup{self.suffix}",
            "metadata": {"name": name},
            "spec": {"target": "data", **spec},
        }


def _version() -> Manifest:
    spec = {
        "type": "object",
        "description": "What is to be saved, and how often.",
        "required": ["target"],
        "properties": {
            "target": {"type": "string", "description": "The volume to save.", "minLength": 1},
            "every": {"type": "string", "description": "The time between two backups.", "default": "1h"},
            "copies": {"type": "integer", "minimum": 0, "maximum": 9, "default": 1},
            "mode": {"type": "string", "enum": ["full", "incremental"]},
        },
    }
    condition = {
        "type": "object",
        "required": ["type", "status"],
        "properties": {"type": {"type": "string"}, "status": {"type": "string"}},
    }
    status = {
        "type": "object",
        "properties": {
            "copies": {"type": "integer"},
            "phase": {"type": "string"},
            "conditions": {
                "type": "array",
                "items": condition,
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["type"],
            },
        },
    }
    return {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {
            "openAPIV3Schema": {
                "type": "object",
                "description": "A Backup saves a volume again and again.",
                "properties": {"spec": spec, "status": status},
            }
        },
        "subresources": {
            "status": {},
            "scale": {"specReplicasPath": ".spec.copies", "statusReplicasPath": ".status.copies"},
        },
        "additionalPrinterColumns": [
            {"name": "Target", "type": "string", "jsonPath": ".spec.target"},
            {"name": "Phase", "type": "string", "jsonPath": ".status.phase"},
            {"name": "Copies", "type": "integer", "jsonPath": ".spec.copies", "priority": 1},
            {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
        ],
    }
