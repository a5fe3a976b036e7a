from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.options import dry_run_faults
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Resource

_POLICIES: Final = ("Foreground", "Background", "Orphan")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteOptions:
    """How a deletion is meant, and of what exactly."""

    grace: int | None = None
    policy: str = ""
    cascades: bool = False
    dry_run: bool = False
    uid: str | None = None
    version: str | None = None

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
        raise Refusal.conflict(resource.kind.group, resource.kind.name, meta["name"], why)


def delete_options(call: Call) -> DeleteOptions:
    """The options of a deletion, from its body or, without one, from the query.

    Raises:
        Refusal: 400 or 422, they cannot be read or make no sense.
    """
    return read_options(_from_body(call) if call.body else _from_query(call))


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
    )


def _from_body(call: Call) -> dict[str, Any]:
    try:
        given = orjson.loads(call.body)
    except ValueError as error:
        raise Refusal.bad_request(f"couldn't get version/kind; json parse error: {error}") from error
    if not isinstance(given, dict):
        raise Refusal.bad_request("json: cannot unmarshal array into Go value of type struct")
    kind = given.get("kind") or "DeleteOptions"
    if kind != "DeleteOptions":
        version = given.get("apiVersion", "")
        raise Refusal.bad_request(f"{kind} in version {version!r} cannot be handled as a DeleteOptions")
    grace = given.get("gracePeriodSeconds")
    if grace is not None and (not isinstance(grace, int) or isinstance(grace, bool)):
        raise Refusal.bad_request("json: cannot unmarshal gracePeriodSeconds into type int64")
    if call.query.texts("dryRun"):
        given["dryRun"] = call.query.texts("dryRun")
    if "gracePeriodSeconds" in call.query:
        given.setdefault("gracePeriodSeconds", call.query.number("gracePeriodSeconds"))
    return given


def _from_query(call: Call) -> dict[str, Any]:
    query = call.query
    given: dict[str, Any] = {"gracePeriodSeconds": query.number("gracePeriodSeconds")}
    if query.texts("dryRun"):
        given["dryRun"] = query.texts("dryRun")
    if query.text("propagationPolicy"):
        given["propagationPolicy"] = query.text("propagationPolicy")
    if "orphanDependents" in query:
        given["orphanDependents"] = query.flag("orphanDependents")
    return given


def _faults(given: dict[str, Any]) -> Iterator[Fault]:
    policy, orphan = given.get("propagationPolicy"), given.get("orphanDependents")
    if policy and orphan is not None:
        yield Fault.invalid(
            "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"
        )
    if policy and policy not in _POLICIES:
        yield Fault.not_supported("propagationPolicy", policy, (*_POLICIES, "nil"))
    yield from dry_run_faults(given.get("dryRun") or ())
