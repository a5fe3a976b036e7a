"""Event, as the core group shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.meta import METADATA, validate_meta, validate_meta_update
from windlass.apiserver.validation.names import dns_subdomain, label_key, path_segment
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Object = Mapping[str, Any]

_LONGEST: Final = 128
_LONGEST_MESSAGE: Final = 1024
_NAMESPACE: Final = Path("involvedObject").child("namespace")
_ELSEWHERE: Final = "does not match event.namespace"


def validate(obj: Object, old: Object | None) -> Iterator[Fault]:
    """An Event; one with a time follows the newer rules."""
    meta = obj.get("metadata", {})
    if old is not None:
        yield from validate_meta(meta, METADATA, namespaced=True, name_rule=path_segment)
        yield from validate_meta_update(meta, old.get("metadata", {}), METADATA)
    faults = list(validate_event(obj, "reportingComponent"))
    yield from faults
    if old is None and not faults:
        yield from validate_meta(meta, METADATA, namespaced=True, name_rule=path_segment)


def validate_event(event: Object, reporter: str) -> Iterator[Fault]:
    """What both groups ask of an event, under the names of the core group.

    `reporter`: what the group of the request calls the controller that reports.
    """
    namespace = event["metadata"].get("namespace", "")
    place = event.get("involvedObject", {}).get("namespace", "")
    if event.get("eventTime"):
        if not place and namespace not in ("default", "kube-system"):
            yield Fault.invalid(_NAMESPACE, place, _ELSEWHERE)
        yield from _validate_new(event, reporter)
    elif place != namespace and not (not place and namespace == "default"):
        yield Fault.invalid(_NAMESPACE, place, _ELSEWHERE)
    for problem in dns_subdomain(namespace):
        yield Fault.invalid("namespace", namespace, problem)


def _validate_new(event: Object, reporter: str) -> Iterator[Fault]:
    controller = event.get("reportingComponent", "")
    if not controller:
        yield Fault.required(reporter)
    for problem in label_key(controller):
        yield Fault.invalid(reporter, controller, problem)
    for name in ("reportingInstance", "action", "reason"):
        text = event.get(name, "")
        if not text:
            yield Fault.required(name)
        yield from _validate_length(name, text, _LONGEST)
    yield from _validate_length("message", event.get("message", ""), _LONGEST_MESSAGE)


def _validate_length(name: str, text: str, longest: int) -> Iterator[Fault]:
    if len(text.encode()) > longest:
        yield Fault.invalid(name, "", f"can have at most {longest} characters")
