"""Who owns which fields after a write: the rules of server-side apply, without requests and times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.schema.ownership.atom import attempt
from windlass.schema.ownership.combination import is_full, merged
from windlass.schema.ownership.comparison import Change, compared, same
from windlass.schema.ownership.extent import given
from windlass.schema.ownership.owner import Manager, Managers, Owned
from windlass.schema.ownership.pruning import Pruner
from windlass.schema.ownership.reading import conformed
from windlass.schema.ownership.tree import Tree, difference, intersection, union

if TYPE_CHECKING:
    from windlass.schema.ownership.rules import Object, Rules


class Clash(Exception):
    """An apply would change fields of others: of whom, and which. It may still be let through."""

    def __init__(self, fields: dict[Manager, Tree]) -> None:
        super().__init__(fields)
        self.fields = fields


class Updater:
    """The owners before a write, by whom it is, and in which version; neither objects nor sets are changed.

    Objects are in that version. In terms of other versions, which owners may have, they are worked out.
    """

    def __init__(self, rules: Rules, api_version: str, managers: Managers, manager: Manager) -> None:
        self._rules = rules
        self._version = api_version
        self._atom = rules.atom(api_version)
        self._manager = manager
        self._managers = _known(managers, rules)
        self._last = self._managers.get(manager)
        self._live: dict[str, Object | None] = {}

    def update(self, live: Object, new: Object) -> Managers:
        """The owners after an object took the place of another: who changes a field takes it from all others.

        Raises:
            Unfit: one of the objects does not fit the schema.
        """
        self._convert(live)
        change = self._change(live, new, self._version)
        managers = self._settled(new, change, force=True)
        mine = managers.pop(self._manager, None)
        fields = {} if mine is None else difference(mine.fields, change.removed)
        fields = union(self._rules.tracked(fields, self._version), change.gained)
        if fields:
            managers[self._manager] = Owned(fields, self._version)
        return managers

    def apply(self, live: Object, config: Object, *, force: bool) -> tuple[Object | None, Managers]:
        """The object after a configuration was applied, `None` if it did not change, and its owners.

        The object shares nothing with the other two.

        Raises:
            Clash: it would change fields of others, and may not.
            Unfit: one of the objects does not fit the schema.
        """
        self._convert(live)
        new = merged(live, config, self._atom)
        fields = self._rules.tracked(given(config, self._atom) or {}, self._version)
        self._managers[self._manager] = Owned(fields, self._version, applied=True)
        if self._last is not None and not self._repeats(self._last, config):
            with attempt("failed to prune fields"):
                new = Pruner(self._rules, self._version, self._managers.values()).pruned(new, self._last)
        managers = self._settled(new, self._change(live, new, self._version), force=force)
        return (None if same(live, new) else new), managers

    def _convert(self, live: Object) -> None:
        versions = {owned.api_version for owned in self._managers.values()}
        self._live = {each: self._rules.converted(live, self._version, each) for each in versions}

    def _change(self, live: Object, new: Object, api_version: str) -> Change:
        with attempt("failed to compare objects"):
            gained, removed = compared(live, new, self._rules.atom(api_version))
        tracked = self._rules.tracked
        return Change(tracked(gained, api_version), tracked(removed, api_version))

    def _settled(self, new: Object, change: Change, *, force: bool) -> Managers:
        """What each manager still owns after the change."""
        changes = {self._version: change}
        clashes: dict[Manager, Tree] = {}
        managers: Managers = {}
        for manager, owned in self._managers.items():
            fields = owned.fields
            if manager != self._manager:
                change = self._change_at(owned.api_version, new, changes)
                if not force and (clash := intersection(fields, change.gained)):
                    clashes[manager] = clash
                fields = difference(difference(fields, change.gained), change.removed)
            if fields:
                managers[manager] = owned.reduced(fields)
        if clashes:
            raise Clash(clashes)
        return managers

    def _change_at(self, api_version: str, new: Object, changes: dict[str, Change]) -> Change:
        """The change in terms of a version, worked out once."""
        found = changes.get(api_version)
        if found is None:
            with attempt("failed to convert new object"):
                after = self._rules.converted(new, self._version, api_version)
            before = self._live[api_version]
            found = changes[api_version] = self._change(before or {}, after or {}, api_version)
        return found

    def _repeats(self, last: Owned, config: Object) -> bool:
        """Whether the manager applies everything again that it applied before, so that nothing can go.

        A `null` in the place of contents gives them up. Owners in other versions or of the `apiVersion` can
        make pruning fail even where nothing is to go: they decide what it makes of the object on the way.
        """
        versions = {owned.api_version for owned in self._managers.values()} | {last.api_version}
        if versions != {self._version} or "f:apiVersion" in last.fields:
            return False
        return not difference(last.fields, self._managers[self._manager].fields) and is_full(config)


def _known(managers: Managers, rules: Rules) -> Managers:
    """The owners in terms of versions that there are, and of their present schemas."""
    found = ((manager, owned, rules.find(owned.api_version)) for manager, owned in managers.items())
    return {
        manager: owned.reduced(conformed(owned.fields, atom))
        for manager, owned, atom in found
        if atom is not None
    }
