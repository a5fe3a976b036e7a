from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from windlass.api import Key, Resource, Selector, Snapshot
from windlass.cache.ahead import Own
from windlass.cache.lookup import Lookup
from windlass.cache.version import metadata_of, number

if TYPE_CHECKING:
    from windlass.api import Json
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

    def redacted(self, obj: Json) -> Json:
        """What an object looks like once values that are not to be kept are replaced by their digests."""
        return obj if self._whole.redactor is None else self._whole.redactor.redact(obj)

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
