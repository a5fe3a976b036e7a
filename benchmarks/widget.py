"""The custom resource that every contender reconciles, and what makes one fresh."""

import hashlib
from typing import Any

import orjson

from windlass.api import Definition, Field, Model, Resource, Spec, Status

PATH = "/apis/bench.windlass.dev/v1/namespaces/default/widgets"
EVERYWHERE = "/apis/bench.windlass.dev/v1/widgets"


class Variable(Model):
    name: str
    value: str


class WidgetSpec(Spec):
    revision: int = 0
    image: str = ""
    replicas: int = 1
    command: list[str] = []
    environment: list[Variable] = []
    labels: dict[str, str] = {}
    description: str = ""


class WidgetStatus(Status):
    observed_generation: int = 0
    digest: str = ""
    ready: bool = False


class Widget(
    Resource, group="bench.windlass.dev", version="v1", definition=Definition(storage=True, ready="")
):
    """A spec of about a kilobyte. It has no conditions, as the peers' have none either."""

    spec: WidgetSpec = Field(default_factory=WidgetSpec)
    status: WidgetStatus = Field(default_factory=WidgetStatus)


def digest(seed: str, text: str) -> str:
    """What a fresh status says: another seed makes every status stale."""
    return f"{seed}:{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def name_of(index: int) -> str:
    return f"widget-{index:06}"


def body(index: int) -> bytes:
    """A Widget as it is created."""
    spec: dict[str, Any] = {
        "revision": 0,
        "image": f"registry.example.com/team/widget:{index}",
        "replicas": index % 5,
        "command": ["/bin/widget", "--listen=:8080", f"--shard={index % 64}", "--verbose"],
        "environment": [{"name": f"SETTING_{n}", "value": f"value {n} of {index}"} for n in range(8)],
        "labels": {f"team-{n}": f"group-{(index + n) % 17}" for n in range(6)},
        "description": f"Widget {index} turns what it is given into what is asked of it. " * 4,
    }
    metadata = {"name": name_of(index), "labels": {"app": "bench", "shard": str(index % 16)}}
    return orjson.dumps(
        {"apiVersion": "bench.windlass.dev/v1", "kind": "Widget", "metadata": metadata, "spec": spec}
    )
