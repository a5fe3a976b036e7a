"""What a write does to an object's managed fields; the only part of this package that requests meet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.ownership.atom import Unfit
from windlass.schema.ownership.comparison import same
from windlass.schema.ownership.conflict import Conflict, OwnershipConflict
from windlass.schema.ownership.entry import Managed
from windlass.schema.ownership.fit import misfits, told
from windlass.schema.ownership.last_applied import refresh, untouched
from windlass.schema.ownership.owner import UPDATE, Manager, Managers, Owned
from windlass.schema.ownership.tree import Tree, difference, paths, union
from windlass.schema.ownership.updater import Clash, Updater
from windlass.schema.value import copied

if TYPE_CHECKING:
    from windlass.schema.ownership.atom import Atom
    from windlass.schema.ownership.rules import Object, Rules

_UNOWNED: Final[Tree] = {
    "f:apiVersion": {},
    "f:kind": {},
    "f:metadata": {
        ".": {},
        "f:name": {},
        "f:namespace": {},
        "f:creationTimestamp": {},
        "f:selfLink": {},
        "f:uid": {},
        "f:clusterName": {},
        "f:generation": {},
        "f:managedFields": {},
        "f:resourceVersion": {},
    },
}
_THIS_WRITE: Final = Manager("current-operation", UPDATE)
_BEFORE: Final = "before-first-apply"
_KUBECTL: Final = "kubectl"
_UNFIT_CONFIG: Final = "failed to create typed patch object ({})"
_UNFIT_LIVE: Final = "failed to create typed live object ({})"
_UNFIT_UNOWNED: Final = (
    "failed to create manager for existing fields: failed to convert new object ({}) to smd typed"
)


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes: the name of the manager, when, in which version, and through which subresource."""

    manager: str
    now: str
    api_version: str
    subresource: str = ""


def updated(live: Object | None, new: Object, writer: Writer, rules: Rules) -> None:
    """Set the managed fields of an object that takes the place of another, or of none.

    Entries that do not change are those of `live`, not copies. An object that does not fit its schema, or
    replaces one that does not, ends up without managed fields, like one that had none before.
    """
    metadata = new["metadata"]
    sent = metadata.pop("managedFields", None)
    if live is None or writer.subresource:
        sent = None
    managed = Managed.sent(sent, live)
    if live is None or managed.owners:
        before = rules.empty.get(writer.api_version, {}) if live is None else _bare(live)
        # The schema may have changed since it was stored, and what a subresource ignores is not validated.
        if not all(rules.fits(each, writer.api_version) for each in (before, new)):
            return
        try:
            _update(before, new, writer, rules, managed)
        except Unfit:
            return
    if managed.owners:
        metadata["managedFields"] = managed.entries()


def _update(live: Object, new: Object, writer: Writer, rules: Rules, managed: Managed) -> None:
    """Credit a manager with what it changed; what it owned before counts as if it were another's."""
    manager = Manager.updater(writer.manager, writer.api_version, writer.subresource)
    owners = Updater(rules, writer.api_version, managed.owners, _THIS_WRITE).update(live, new)
    owners = _stripped(owners, _THIS_WRITE)
    mine = owners.pop(_THIS_WRITE, None)
    if mine is not None:
        known = owners.get(manager)
        fields = mine.fields if known is None else union(known.fields, mine.fields)
        owners[manager] = Owned(fields, writer.api_version)
        managed.times[manager] = writer.now
    managed.owners = owners
    managed.cap()


def applied(
    live: Object | None, config: Object, writer: Writer, rules: Rules, *, force: bool = False
) -> Object:
    """The object after a configuration was applied to it, with its managed fields.

    It shares nothing with `live` or `config` but entries of managed fields that did not change.

    Raises:
        OwnershipConflict: it would change fields of others, and is not forced to.
        Unfit: the configuration, what is there, or what would come of both does not fit the schema.
    """
    managed = Managed.of(live)
    before = {} if live is None else _bare(live)
    atom = rules.atom(writer.api_version)
    is_unfit = not rules.fits(before, writer.api_version)  # the schema may have changed since it was stored
    if live is not None and not managed.owners:
        if is_unfit:
            _check(_UNFIT_UNOWNED, before, atom, doubles=True)
        first = replace(writer, manager=_BEFORE)
        _update(rules.empty.get(writer.api_version, {}), before, first, rules, managed)
    _check(_UNFIT_CONFIG, config, atom)
    if is_unfit:
        _check(_UNFIT_LIVE, before, atom, doubles=True)
    manager = Manager.applier(writer.manager, writer.subresource)
    updater = Updater(rules, writer.api_version, managed.owners, manager)
    try:
        new, owners = updater.apply(before, config, force=force)
    except Clash as clash:
        _refuse(clash, before, writer, rules)
        new, owners = updater.apply(before, config, force=True)
    managed.owners = _stripped(owners, manager)
    if new is None:
        new = copied(before)
    else:
        managed.times[manager] = writer.now
    if writer.manager == _KUBECTL:
        refresh(new, config)
    if managed.owners:
        new["metadata"] = new.get("metadata") or {}  # a configuration may say that there is none
        new["metadata"]["managedFields"] = managed.entries()
    return new


def _refuse(clash: Clash, live: Object, writer: Writer, rules: Rules) -> None:
    """Refuse to change fields of others; but kubectl may change what it left there by client-side applies.

    Raises:
        OwnershipConflict: some of the fields are none of these.
    """
    fields = clash.fields
    if writer.manager == _KUBECTL:
        mine = untouched(live, writer.api_version, rules)
        fields = {manager: difference(theirs, mine) for manager, theirs in fields.items()}
    conflicts = [
        Conflict(str(manager), path)
        for manager in sorted(fields, key=lambda manager: manager.key)
        for path in paths(fields[manager])
    ]
    if conflicts:
        raise OwnershipConflict(conflicts) from None


def _check(attempt: str, value: Object, atom: Atom, *, doubles: bool = False) -> None:
    if faults := misfits(value, atom, doubles=doubles):
        raise Unfit(f"{attempt.format(named(value))}: {told(faults)}")


def named(value: Object) -> str:
    """An object as errors name it: `default/web; apps/v1, Kind=Deployment`."""
    metadata = value.get("metadata")
    namespace, name = (_text(metadata, field) for field in ("namespace", "name"))
    group, _, version = _text(value, "apiVersion").rpartition("/")
    return f"{namespace}/{name}; {group}/{version}, Kind={_text(value, 'kind')}"


def _text(value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _stripped(owners: Managers, manager: Manager) -> Managers:
    """The owners without the fields of one of them that belong to the server."""
    mine = owners.pop(manager, None)
    if mine is not None and (fields := difference(mine.fields, _UNOWNED)):
        owners[manager] = mine.reduced(fields)
    return owners


def _bare(live: Object) -> Object:
    """An object without its managed fields, which nobody owns."""
    metadata = {name: value for name, value in live["metadata"].items() if name != "managedFields"}
    return {**live, "metadata": metadata}


def keep_times(live: Object, new: Object) -> None:
    """Take back the times in the managed fields of a new object if nothing else in it changed."""
    before, after = (each["metadata"].get("managedFields") or [] for each in (live, new))
    if len(before) != len(after) or before == after:
        return
    if any(new.get(name) != value for name, value in live.items() if name != "metadata"):
        return  # the usual case, and by far the cheapest to find
    untimed = (
        [{name: value for name, value in entry.items() if name != "time"} for entry in entries]
        for entries in (before, after)
    )
    if same(*untimed) and same(_bare(live), _bare(new)):
        new["metadata"]["managedFields"] = before
