"""eviction: deleting a pod as far as its disruption budget allows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode import builtin_types, complete
from windlass.apiserver.kind.pod_condition import set_pod_condition
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.budget import budgets_of, lets_go, spend
from windlass.apiserver.subresource.form import check_name, done, read_form
from windlass.apiserver.verb.delete import remove
from windlass.apiserver.verb.delete_options import read_options
from windlass.apiserver.verb.operation import as_admitted
from windlass.apiserver.verb.options import WriteOptions, write_options
from windlass.apiserver.verb.update import change
from windlass.schema import Fault, printed

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_VERSION: Final = b"policy/v1"
_OLDER: Final = b"policy/v1beta1"
_UNDISTURBED: Final = ("Succeeded", "Failed", "Pending")
_BREAKING: Final = "ignoreStoreReadErrorWithClusterBreakingPotential"
_TARGET: Final = {
    "type": "DisruptionTarget",
    "status": "True",
    "reason": "EvictionByEvictionAPI",
    "message": "Eviction API: evicting",
}


async def evict(operation: Operation) -> Reply:
    """Evict the pod that the path names."""
    options = write_options(operation.call, "CreateOptions")
    kind = operation.resource.subresources[operation.route.subresource].kind
    eviction = read_form(_of_today(operation), kind, options)
    check_name(operation, eviction)
    wanted = _deletion(eviction, operation.call.query.texts("dryRun"))
    pod = operation.record().object()
    if not _is_undisturbed(pod):
        _ask_budget(operation, pod, dry_run=bool(wanted.get("dryRun")))
    _delete(operation, wanted)
    return done(operation)


def _of_today(operation: Operation) -> Operation:
    """The request in the present version of an Eviction; the older one, which is still taken, is the same."""
    call = operation.call
    return operation._replace(call=replace(call, body=call.body.replace(_OLDER, _VERSION)))


def _deletion(eviction: Object, asked: list[str]) -> Object:
    """The delete options of an eviction, which is a trial if either it or its request is.

    Raises:
        Refusal: 422, one of them is not for evictions; 500, the two are trials of different kinds.
    """
    wanted: Object = dict(eviction.get("deleteOptions", {}))
    if wanted.get(_BREAKING):
        detail = "can not be set for pod eviction, try after removing the option"
        fault = Fault.invalid(f"deleteOptions.{_BREAKING}", wanted[_BREAKING], detail)
        raise Refusal.invalid("policy", "Eviction", eviction["metadata"]["name"], [fault])
    said, asked = wanted.get("dryRun") or [], [each for each in asked if each]
    if said and asked and said != asked:
        why = "Non-matching dry-run options in request and content"
        raise Refusal(500, f"{why}: {printed(asked)} and {printed(said)}", "")
    return wanted | {"dryRun": said or asked}


def _is_undisturbed(pod: Object) -> bool:
    """Whether a pod serves nobody (any more), so that no budget counts it."""
    phase = pod.get("status", {}).get("phase")
    return phase in _UNDISTURBED or "deletionTimestamp" in pod["metadata"]


def _ask_budget(operation: Operation, pod: Object, *, dry_run: bool) -> None:
    """Take the eviction from the budget of a pod, if it has one.

    Raises:
        Refusal: 429, the budget does not allow it; 500, there are several.
    """
    resource = operation.catalog.find("policy", "v1", "poddisruptionbudgets")
    assert resource is not None  # noqa: S101 - every server has them
    records = budgets_of(resource, pod)
    if len(records) > 1:
        why = (
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
        )
        raise Refusal(500, why, "")
    for record in records:
        if _is_ready(pod) or not lets_go(resource.object(record)):
            spend(operation, resource, record, dry_run=dry_run)


def _is_ready(pod: Object) -> bool:
    conditions = pod.get("status", {}).get("conditions", ())
    return any(each.get("type") == "Ready" and each.get("status") == "True" for each in conditions)


def _delete(operation: Operation, wanted: Object) -> None:
    """Say on the pod why it goes, and delete it."""
    resource = operation.resource
    record = operation.record()
    if not wanted.get("dryRun"):
        preconditions = wanted.get("preconditions") or {}
        old, pod = resource.object(record), resource.object(record)
        read_options({"preconditions": preconditions}).check(resource, old)
        set_pod_condition(pod, _TARGET, operation.world.now())
        complete(pod, resource.kind, builtin_types())
        status = operation._replace(route=operation.route._replace(subresource="status"), judge=as_admitted)
        change(status, record, old, pod, WriteOptions())
        record = operation.record()
        if preconditions.get("resourceVersion"):
            newest = {**preconditions, "resourceVersion": str(record.revision)}
            wanted = {**wanted, "preconditions": newest}
    remove(operation, record, read_options(wanted))
