"""The statuses of a pod's containers: a container that has ended for good does not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

_LISTS: Final = {"containerStatuses": "containers", "initContainerStatuses": "initContainers"}
_EPHEMERAL: Final = "ephemeralContainerStatuses"
_HEALTH: Final = ("Healthy", "Unhealthy", "Unknown")
_MESSAGE_LENGTH: Final = 512


def validate_transitions(status: Fields, before: Fields, spec: Fields, path: Path) -> Iterator[Fault]:
    """Which containers may leave the terminated state: those that the policies and rules restart."""
    all_restart = _restarts_all(spec)
    for statuses, kind in () if all_restart else _LISTS.items():
        containers = {each.get("name", ""): each for each in spec.get(kind) or ()}
        for index, ended, _ in _revived(status.get(statuses, ()), before.get(statuses, ())):
            container = containers.get(ended.get("name", ""))
            code = ended["state"]["terminated"].get("exitCode", 0)
            if container is None or not _should_restart(container, spec, code):
                yield _not_again(path.child(statuses), index)
    for index, _, _ in _revived(status.get(_EPHEMERAL, ()), before.get(_EPHEMERAL, ())):
        yield _not_again(path.child(_EPHEMERAL), index)


def validate_allocated_resources(status: Fields, spec: Fields, path: Path) -> Iterator[Fault]:
    """The health of the devices that containers have got."""
    for statuses, kind in _LISTS.items():
        containers = {each.get("name", ""): each for each in spec.get(kind) or ()}
        for index, reported in enumerate(status.get(statuses, ())):
            where = path.child(statuses).index(index).child("allocatedResourcesStatus")
            for position, resource in enumerate(reported.get("allocatedResourcesStatus", ())):
                container = containers.get(reported.get("name", ""))
                yield from _validate_resource(resource, container, where.index(position))
    for index, reported in enumerate(status.get(_EPHEMERAL, ())):
        if reported.get("allocatedResourcesStatus"):
            where = path.child(_EPHEMERAL).index(index).child("allocatedResourcesStatus")
            yield Fault.forbidden(where, "must not be specified in container status")


def _not_again(path: Path, index: int) -> Fault:
    return Fault.forbidden(
        path.index(index).child("state"), "may not be transitioned to non-terminated state"
    )


def _revived(statuses: Sequence[Fields], before: Sequence[Fields]) -> Iterator[tuple[int, Fields, Fields]]:
    """The containers that had ended and have not any more: (position before, before, now) each."""
    now = {each.get("name", ""): each for each in reversed(statuses)}
    for index, ended in enumerate(before):
        current = now.get(ended.get("name", ""))
        if "terminated" not in ended.get("state", {}) or current is None:
            continue
        if "terminated" not in current.get("state", {}):
            yield index, ended, current


def _restarts_all(spec: Fields) -> bool:
    return any(
        rule.get("action") == "RestartAllContainers"
        for kind in _LISTS.values()
        for container in spec.get(kind) or ()
        for rule in container.get("restartPolicyRules", ())
    )


def _should_restart(container: Fields, spec: Fields, code: int) -> bool:
    own = container.get("restartPolicy")
    for rule in container.get("restartPolicyRules", ()) if own else ():
        codes = rule.get("exitCodes", {})
        if (code in codes.get("values", ())) == (codes.get("operator") == "In"):
            return True
    policy = own or spec.get("restartPolicy", "Always")
    return policy == "Always" or (policy == "OnFailure" and code != 0)


def _validate_resource(resource: Fields, container: Fields | None, path: Path) -> Iterator[Fault]:
    name = resource.get("name", "")
    if container is not None and name not in _granted(container, claims=name.startswith("claim:")):
        detail = (
            "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' "
            "or 'claim:<claimName>' if request is empty"
            if name.startswith("claim:")
            else "must match one of the container's resource requests"
        )
        yield Fault.invalid(path.child("name"), name, detail)
    seen: set[str] = set()
    for index, device in enumerate(resource.get("resources", ())):
        where = path.child("resources").index(index)
        health, identifier = device.get("health", ""), device.get("resourceID", "")
        if health not in _HEALTH:
            yield Fault.not_supported(where.child("health"), health, _HEALTH)
        if len(device.get("message", "").encode()) > _MESSAGE_LENGTH:
            yield Fault.too_long(where.child("message"), _MESSAGE_LENGTH)
        if identifier in seen:
            yield Fault.duplicate(where.child("resourceID"), identifier)
        seen.add(identifier)


def _granted(container: Fields, *, claims: bool) -> set[str]:
    resources = container.get("resources", {})
    if not claims:
        return set(resources.get("requests", {}))
    return {
        f"claim:{each.get('name', '')}" + (f"/{each['request']}" if each.get("request") else "")
        for each in resources.get("claims", ())
    }
