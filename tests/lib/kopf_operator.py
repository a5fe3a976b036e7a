"""An operator as it is written with kopf, to be run by `kopf run`: it reports on Sites.

It prints a line for whatever it has done: `created NAME`, `resumed NAME`, `updated NAME OLD NEW`, `deleted NAME`,
`ticked NAME`, `awake NAME` and `asleep NAME` of a daemon, and `secret NAME` for each that it sees.
"""

from __future__ import annotations

import sys
from typing import Any

import kopf

SITES = ("operator.example.com", "v1", "sites")


def say(*words: object) -> None:
    """Print a line by one write: handlers run in threads, whose words `print` would mix."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


@kopf.on.startup()  # type: ignore[untyped-decorator]
def configure(settings: Any, **_: Any) -> None:
    settings.persistence.finalizer = "operator.example.com/kopf"


@kopf.index("", "v1", "secrets")  # type: ignore[untyped-decorator]
def colours(name: str, meta: Any, **_: Any) -> Any:
    say("secret", name)
    return {name: meta.get("annotations", {}).get("operator.example.com/colour", "")}


@kopf.on.create(*SITES)  # type: ignore[untyped-decorator]
def create(body: Any, spec: Any, patch: Any, colours: Any, **_: Any) -> None:
    patch.status["readyReplicas"] = spec["replicas"]
    patch.status["colour"] = next(iter(colours.get(spec["secretName"], [])), "none")
    kopf.info(body, reason="Created", message=f"with {spec['replicas']} replicas")
    say("created", body["metadata"]["name"])


@kopf.on.create(*SITES)  # type: ignore[untyped-decorator]
def stumble(name: str, retry: int, **_: Any) -> None:
    """Fails at first, so that its progress is kept with the object until it is tried again."""
    if retry == 0:
        raise kopf.TemporaryError("not yet", delay=0.1)
    say("stumbled", name)


@kopf.on.resume(*SITES)  # type: ignore[untyped-decorator]
def resume(name: str, **_: Any) -> None:
    say("resumed", name)


@kopf.on.update(*SITES, field="spec.image")  # type: ignore[untyped-decorator]
def update(name: str, old: Any, new: Any, patch: Any, **_: Any) -> None:
    patch.metadata.labels["image"] = new.rpartition(":")[2]
    say("updated", name, old, new)


@kopf.on.delete(*SITES)  # type: ignore[untyped-decorator]
def delete(name: str, **_: Any) -> None:
    say("deleted", name)


@kopf.timer(*SITES, interval=0.2, labels={"timed": "yes"})  # type: ignore[untyped-decorator]
def tick(name: str, **_: Any) -> None:
    say("ticked", name)


@kopf.daemon(*SITES, labels={"guarded": "yes"})  # type: ignore[untyped-decorator]
async def guard(name: str, stopped: Any, **_: Any) -> None:
    say("awake", name)
    await stopped.wait()
    say("asleep", name)
