"""Which container of a pod a request means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Query

_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


def container_of(pod: dict[str, Any], query: Query) -> str:
    """The container that is asked for, or the only one.

    Raises:
        Refusal: 400, there is no such container, or more than one to choose from.
    """
    name, wanted = pod["metadata"]["name"], query.text("container")
    names = [each["name"] for kind in _KINDS for each in pod["spec"].get(kind, ())]
    if wanted:
        if wanted not in names:
            raise Refusal.bad_request(f"container {wanted} is not valid for pod {name}")
        return wanted
    containers = pod["spec"]["containers"]
    if len(containers) == 1:
        return str(containers[0]["name"])
    message = f"a container name must be specified for pod {name}, choose one of: [{' '.join(names)}]"
    raise Refusal.bad_request(message)
