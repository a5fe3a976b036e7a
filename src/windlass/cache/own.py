from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from windlass.api import Key, Resource, Selector, Snapshot, is_uncached
from windlass.cache.ahead import Own
from windlass.cache.lookup import Lookup
from windlass.cache.version import metadata_of, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Json, Kind
    from windlass.cache.intake import Intake

R = TypeVar("R", bound=Resource)


class OwnWrites(Lookup[R]):
    """The half of an informer that is told of our own writes, so that nobody reads older than it wrote."""

    _intake: Intake[R]
    _labels: Selector

    @property
    def is_whole(self) -> bool:
        """Whether everything of each object is kept, but for the values of Secrets."""
        return not (self._replica.form.metadata_only or self._replica.form.keep)

    @property
    def is_reducing(self) -> bool:
        """Whether it is still letting go of the rest."""
        return self._replica.is_reforming

    def as_kept(self, obj: Json, like: Json | None) -> Json:
        """Return an object without the values of a Secret, if another state of it is kept without them."""
        uncached = like is not None and self._whole.values is not None and is_uncached(like)
        return self._whole.redacted(obj) if uncached else obj

    def keep_values(
        self, *, owner: Kind | None = None, refers: Callable[[Key], bool] | None = None
    ) -> Callable[[], None]:
        """Keep the values of Secrets whose controller is of this kind, or of which this is true.

        Returns what ends that.
        """
        kept = self._whole.values
        if kept is None:
            return lambda: None
        if owner is not None:
            kept.owners.add((owner.group, owner.name))
        if refers is not None:
            kept.referrers.append(refers)

        def end() -> None:
            if refers is not None:
                kept.referrers.remove(refers)
                for key in list(self._replica.keys()):
                    self.release_values(key)

        return end

    def release_values(self, key: Key) -> None:
        """Keep no values of a Secret any more, if no object owns it or refers to it."""
        found = self.snapshot(key)
        if found is None or found.is_uncached or not self._whole.withholds(key, found.metadata):
            return
        obj = dict(found.data)
        obj["metadata"] = dict(obj["metadata"])
        self._replica.replace(key, self._replica.form.pack(obj), found.resource_version)

    def shown(self, obj: Json) -> Snapshot[R]:
        """An object that the server answered with, in the form in which it would be kept."""
        return self._whole.snapshot(self.kind, {**obj, "metadata": {**obj["metadata"]}})

    def wrote(self, obj: Json) -> None:
        """We wrote an object, and this is what the server answered: it is what is read from now on.

        Nothing is taken that is not newer than what is known, nor where versions cannot be compared.
        """
        metadata = obj["metadata"]
        key = Key(metadata.get("namespace", ""), metadata["name"])
        version = number(metadata.get("resourceVersion", ""))
        if version is None or self._intake.has_told(version) or not self._is_newer(key, version):
            return
        known = self._replica.get(key) is not None
        if self._is_selected(key, metadata, known=known):
            copy = {**obj, "metadata": {**metadata}}
            raw = self._replica.form.pack(copy)
            self._replica.lead(key, Own(raw, version), copy)
        elif known:  # it was selected until now
            self._replica.lead(key, Own(None, version))

    def deleted(self, key: Key, uid: str) -> None:
        """We deleted an object, and it is gone: it is not read again, whatever the watch still tells."""
        self._replica.bury(key, uid)

    def forget(self) -> None:
        """Let go of everything that is kept, and tell nobody."""
        self._replica.clear()

    def _is_newer(self, key: Key, version: int) -> bool:
        own = self._replica.ahead.get(key)
        if own is not None and own.version >= version:
            return False
        told = self._replica.told.get(key)
        if told is None:
            return True
        before = number(metadata_of(told).get("resourceVersion", ""))
        return before is not None and before < version

    def _is_selected(self, key: Key, metadata: Json, *, known: bool) -> bool:
        """Whether the server would show it to us; what fields select is for the server alone to say."""
        wanted = self.selection
        in_place = not wanted.namespace or not key.namespace or wanted.namespace == key.namespace
        labelled = self._labels.matches(metadata.get("labels") or {})
        return in_place and labelled and (known or not wanted.fields)
