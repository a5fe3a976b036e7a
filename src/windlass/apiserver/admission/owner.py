"""Who owns which fields of an object, after webhooks have changed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call

Object = dict[str, Any]

_FORM: Final = "FieldsV1"


def keep_owners(call: Call, obj: Object, before: list[Object] | None) -> None:
    """Put back the owners that an object had before, and warn, if nobody can make sense of those it has."""
    meta = obj["metadata"]
    problems = (_problem(index, entry) for index, entry in enumerate(meta.get("managedFields") or ()))
    why = next(filter(None, problems), "")
    if not why:
        return
    if before is None:
        del meta["managedFields"]
    else:
        meta["managedFields"] = before
    call.warn(
        ".metadata.managedFields was in an invalid state after admission; this could be caused by "
        f"an outdated mutating admission controller; please fix your requests: {why}"
    )


def _problem(index: int, entry: Object) -> str:
    """What is wrong with an entry, if anything."""
    if entry.get("operation") not in ("Apply", "Update"):
        return "operation must be `Apply` or `Update`"
    if not entry.get("apiVersion"):
        return "apiVersion must not be empty"
    form = entry.get("fieldsType", "")
    if not form:
        return f"missing fieldsType in managed fields entry {index}"
    return "" if form == _FORM else f'invalid fieldsType "{form}" in managed fields entry {index}'
