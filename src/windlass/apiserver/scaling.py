"""Where an object says how many of something there should be, and are: what its Scale is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from typing_extensions import override

from windlass.apiserver.table.text import selector as selector_text
from windlass.schema.ownership import ScaleOwnership

if TYPE_CHECKING:
    from windlass.api import Kind

Object = dict[str, Any]

_REPLICAS: Final = ("spec", "replicas")


@dataclass(frozen=True, slots=True)
class Size:
    """How many are wanted (`None` where the object does not say), how many there are, and which these are."""

    wanted: int | None
    actual: int = 0
    selector: str = ""


class Scaling(Protocol):
    """How the size of an object is read and written.

    `path` is where the wanted number stands, `ownership` knows whose it is.
    """

    path: str
    ownership: ScaleOwnership

    def size(self, obj: Object) -> Size:
        """The size of an object.

        Raises:
            Refusal: 500, there is something else where a number should be.
        """

    def resize(self, obj: Object, replicas: int) -> None:
        """Write the wanted number into an object."""


class WorkloadScaling(Scaling):
    """The size of a built-in workload: `spec.replicas`, `status.replicas` and its selector."""

    path = ".spec.replicas"

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.ownership = ScaleOwnership(kind.api_version, {kind.api_version: _REPLICAS})

    @override
    def size(self, obj: Object) -> Size:
        spec, status = obj["spec"], obj.get("status", {})
        selector = spec.get("selector")
        if self._kind.name == "ReplicationController":  # which is older than expressions
            selector = {"matchLabels": selector or {}}
        return Size(spec.get("replicas", 0), status.get("replicas", 0), selector_text(selector))

    @override
    def resize(self, obj: Object, replicas: int) -> None:
        obj["spec"]["replicas"] = replicas
