"""What a container is asked and told while it runs: probes and lifecycle hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.names import http_header
from windlass.apiserver.validation.number import nonnegative, validate_port
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")

_NUMBERS: Final = (
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
)
_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
_TWO_HANDLERS: Final = "may not specify more than 1 handler type"
_GRACE: Final = "terminationGracePeriodSeconds"


def validate_probes(container: Fields, path: Path, grace: int | None) -> Iterator[Fault]:
    """Every probe of a container; `grace` is the pod's termination grace period."""
    for name in PROBES:
        if name in container:
            yield from _validate_probe(name, container[name], path.child(name), grace)


def validate_lifecycle(lifecycle: Fields, path: Path, grace: int | None) -> Iterator[Fault]:
    """The hooks after a container's start and before its stop."""
    for name in ("postStart", "preStop"):
        if name in lifecycle:
            yield from _validate_handler(lifecycle[name], path.child(name), grace)


def _validate_probe(name: str, probe: Fields, path: Path, grace: int | None) -> Iterator[Fault]:
    yield from _validate_handler(probe, path, grace)
    yield from nonnegative(probe, _NUMBERS, path)
    if probe.get(_GRACE, 1) <= 0:
        yield Fault.invalid(path.child(_GRACE), probe[_GRACE], "must be greater than 0")
    if name == "readinessProbe":
        if _GRACE in probe:
            yield Fault.invalid(path.child(_GRACE), probe[_GRACE], "must not be set for readinessProbes")
    elif probe.get("successThreshold", 0) != 1:
        yield Fault.invalid(path.child("successThreshold"), probe.get("successThreshold", 0), "must be 1")


def _validate_handler(holder: Fields, path: Path, grace: int | None) -> Iterator[Fault]:
    handlers = [name for name in _HANDLERS if name in holder]
    if not handlers:
        yield Fault.required(path, "must specify a handler type")
        return
    first, *others = handlers
    yield from _validate_action(first, holder[first], path.child(first), grace)
    for name in others:
        yield Fault.forbidden(path.child(name), _TWO_HANDLERS)


def _validate_action(kind: str, action: Fields, path: Path, grace: int | None) -> Iterator[Fault]:
    match kind:
        case "exec":
            if not action.get("command"):
                yield Fault.required(path.child("command"))
        case "httpGet":
            yield from _validate_http(action, path)
        case "sleep":
            seconds = action.get("seconds", 0)
            if grace is not None and not 0 <= seconds <= grace:
                detail = f"must be non-negative and less than terminationGracePeriodSeconds ({grace})"
                yield Fault.invalid(path, seconds, detail)
        case _:
            yield from validate_port(action.get("port", 0), path.child("port"))


def _validate_http(action: Fields, path: Path) -> Iterator[Fault]:
    if not action.get("path"):
        yield Fault.required(path.child("path"))
    yield from validate_port(action.get("port", 0), path.child("port"))
    scheme = action.get("scheme", "")
    if scheme not in ("HTTP", "HTTPS"):
        yield Fault.not_supported(path.child("scheme"), scheme, ("HTTP", "HTTPS"))
    for header in action.get("httpHeaders", ()):
        for problem in http_header(header.get("name", "")):
            yield Fault.invalid(path.child("httpHeaders"), header.get("name", ""), problem)
