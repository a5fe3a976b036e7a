from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode import builtin_types, decode_delete_options
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.options import dry_run_faults
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Resource

_PRECONDITIONS: Final = ("uid", "resourceVersion")
_POLICIES: Final = ("Foreground", "Background", "Orphan")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteOptions:
    """How a deletion is meant, and of what exactly. `given` is the object that says so."""

    grace: int | None = None
    policy: str = ""
    cascades: bool = False
    dry_run: bool = False
    uid: str | None = None
    version: str | None = None
    given: dict[str, Any] = field(default_factory=dict)

    def check(self, resource: Resource, obj: dict[str, Any]) -> None:
        """Refuse when the object is not the one that was meant.

        Raises:
            Refusal: 409.
        """
        meta = obj["metadata"]
        if self.uid is not None and self.uid != meta["uid"]:
            why = (
                f"the UID in the precondition ({self.uid}) does not match the UID in record ({meta['uid']}). "
                "The object might have been deleted and then recreated"
            )
        elif self.version is not None and self.version != meta["resourceVersion"]:
            why = (
                f"the ResourceVersion in the precondition ({self.version}) does not match "
                f"the ResourceVersion in record ({meta['resourceVersion']}). "
                "The object might have been modified"
            )
        else:
            return
        if resource.traits.lingers:
            raise resource.conflict(meta["name"], self._unmet(meta))
        raise Refusal.conflict(resource.kind.group, resource.kind.name, meta["name"], why)

    def _unmet(self, meta: dict[str, Any]) -> str:
        """Which precondition does not hold, in the words of kinds that decide themselves when to be gone."""
        what, expected, found = "UID", self.uid, meta["uid"]
        if expected is None or expected == found:
            what, expected, found = "ResourceVersion", self.version, meta["resourceVersion"]
        return f"Precondition failed: {what} in precondition: {expected}, {what} in object meta: {found}"


def delete_options(call: Call) -> DeleteOptions:
    """The options of a deletion, from its body or, without one, from the query.

    Raises:
        Refusal: 400, 413, 415 or 422, they cannot be read or make no sense.
    """
    if not call.body:
        return read_options(_from_query(call))
    content_type = call.headers.get("content-type", "")
    return read_options(decode_delete_options(call.body, content_type, builtin_types()))


def read_options(given: dict[str, Any]) -> DeleteOptions:
    """The options of a deletion from an object that has them, a DeleteOptions.

    Raises:
        Refusal: 422, they make no sense.
    """
    faults = list(_faults(given))
    if faults:
        raise Refusal.invalid("meta.k8s.io", "DeleteOptions", "", faults)
    preconditions = given.get("preconditions") or {}
    grace = given.get("gracePeriodSeconds")
    orphan = given.get("orphanDependents")
    policy = given.get("propagationPolicy") or ""
    if orphan is not None:
        policy = "Orphan" if orphan else "Background"
    return DeleteOptions(
        grace=1 if grace is not None and grace < 0 else grace,
        policy=policy,
        cascades=orphan is False,
        dry_run=bool(given.get("dryRun")),
        uid=preconditions.get("uid"),
        version=preconditions.get("resourceVersion"),
        given=given,
    )


def _from_query(call: Call) -> dict[str, Any]:
    query = call.query
    given: dict[str, Any] = {}
    if (grace := query.number("gracePeriodSeconds")) is not None:
        given["gracePeriodSeconds"] = grace
    if query.texts("dryRun"):
        given["dryRun"] = query.texts("dryRun")
    if "propagationPolicy" in query:
        given["propagationPolicy"] = query.text("propagationPolicy")
    if "orphanDependents" in query:
        given["orphanDependents"] = query.flag("orphanDependents")
    preconditions = {name: query.text(name) for name in _PRECONDITIONS if query.text(name)}
    if preconditions:
        given["preconditions"] = preconditions
    return given


def _faults(given: dict[str, Any]) -> Iterator[Fault]:
    policy, orphan = given.get("propagationPolicy"), given.get("orphanDependents")
    if policy is not None and orphan is not None:
        yield Fault.invalid(
            "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"
        )
    if policy is not None and policy not in _POLICIES:
        yield Fault.not_supported("propagationPolicy", policy, (*_POLICIES, "nil"))
    yield from dry_run_faults(given.get("dryRun") or ())
