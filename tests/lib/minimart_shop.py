"""The sample of Minimart on a cluster, and what one asks of it."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from windlass.api import read_yaml
from windlass.client import MergePatch
from windlass.helm import HelmStatus
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import ConfigMap, Pod, Secret, Service, ServiceAccount
from windlass.operators.minimart import Minimart

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.client import Client

NAME = "minimart-sample"
PODS = f"app.kubernetes.io/instance={NAME}"
MADE = (Deployment, Service, ConfigMap, ServiceAccount)
_FILE = files("windlass.operators.minimart") / "samples" / "charts_v1alpha1_minimart.yaml"


def sample(**spec: Any) -> Minimart:
    """The sample as the operator brings it, with more in its spec perhaps."""
    (document,) = read_yaml(_FILE.read_bytes())
    shop = Minimart.from_wire(document)
    shop.spec.update(spec)
    return shop


async def change(client: Client, **spec: Any) -> None:
    """Change the spec of the sample."""
    await client.patch(Minimart, NAME, MergePatch({"spec": spec}))


def told(shop: Minimart) -> dict[str, tuple[str, str]]:
    """Status and reason of each condition."""
    return {each.type: (each.status, each.reason) for each in HelmStatus.of(shop).conditions}


def message(shop: Minimart, type_: str) -> str:
    """What a condition says, nothing if there is none."""
    return next((each.message for each in HelmStatus.of(shop).conditions if each.type == type_), "")


def is_deployed(reason: str) -> Callable[[Minimart], bool]:
    """Whether the shop is deployed for a reason, and nothing is wrong."""

    def is_so(shop: Minimart) -> bool:
        said = told(shop)
        return said.get("Deployed") == ("True", reason) and not {"ReleaseFailed", "Irreconcilable"} & set(
            said
        )

    return is_so


def runs(replicas: int) -> Callable[[Deployment], bool]:
    """Whether a Deployment has come to so many pods, all of them ready."""

    def is_so(found: Deployment) -> bool:
        status = found.status
        counts = (found.spec.replicas, status.replicas, status.ready_replicas, status.updated_replicas)
        return status.observed_generation == found.metadata.generation and counts == (replicas,) * 4

    return is_so


async def revisions(client: Client, name: str = NAME) -> dict[int, str]:
    """The records of Helm: how each revision fared."""
    found = await client.list(Secret, client.options.namespace, labels=f"owner=helm,name={name}")
    return {int(each.metadata.labels["version"]): each.metadata.labels["status"] for each in found}


async def left_over(client: Client) -> list[str]:
    """What there is of the shop."""
    namespace = client.options.namespace
    found = [each for kind in (*MADE, Pod) for each in await client.list(kind, namespace, labels=PODS)]
    return [*map(str, found), *(f"revision {number}" for number in await revisions(client))]
