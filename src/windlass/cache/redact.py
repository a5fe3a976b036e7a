from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from hashlib import blake2b
from typing import TYPE_CHECKING

from windlass.api import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.api import Json, Key

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SIZE = 16


class Redactor:
    """Replace the values of Secrets by marks with a digest, whose key is known to this process alone.

    A mark stands where the value stood. Equal values have equal marks, so that a change still shows, and what
    is wanted can be compared with what is there once it is redacted too.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def redact(self, secret: Json) -> Json:
        """A Secret without its values; what is given stays as it is.

        `stringData` is told as the `data` that a server makes of it. The annotation in which kubectl keeps a
        copy of everything is a digest too.
        """
        shown = dict(secret)
        if secret.get("data"):
            shown["data"] = {name: self._digest(_decoded(value)) for name, value in secret["data"].items()}
        if plain := shown.pop("stringData", None):
            digests = {name: self._digest(value.encode()) for name, value in plain.items()}
            shown["data"] = {**(shown.get("data") or {}), **digests}
        annotations: Mapping[str, str] = (secret.get("metadata") or {}).get("annotations") or {}
        if _LAST_APPLIED in annotations:
            hidden = {**annotations, _LAST_APPLIED: self._digest(annotations[_LAST_APPLIED].encode())}
            shown["metadata"] = {**secret["metadata"], "annotations": hidden}
        return shown

    def _digest(self, value: bytes) -> str:
        digest = blake2b(value, key=self._key, digest_size=_SIZE).digest()
        return mark(b64encode(digest).decode())


class KeptValues:
    """Decide of which Secrets an informer keeps the values: of those that are owned or referred to.

    `owners` are the kinds, as group and name, of the reconcilers that own Secrets. `referrers` return whether
    an object refers to a Secret.
    """

    def __init__(self, redactor: Redactor) -> None:
        self.owners: set[tuple[str, str]] = set()
        self.referrers: list[Callable[[Key], bool]] = []
        self._redactor = redactor

    def keeps(self, key: Key, metadata: Json) -> bool:
        """Whether the values of a Secret are kept."""
        return self._is_owned(metadata) or any(refers(key) for refers in self.referrers)

    def redact(self, secret: Json) -> Json:
        """Return a Secret without its values; what is given stays as it is."""
        return self._redactor.redact(secret)

    def _is_owned(self, metadata: Json) -> bool:
        references = metadata.get("ownerReferences") or () if self.owners else ()
        kinds = {
            (each["apiVersion"].rpartition("/")[0], each["kind"])
            for each in references
            if each.get("controller")
        }
        return bool(kinds & self.owners)


def _decoded(value: str | None) -> bytes:
    """The bytes that a value means, so that two ways to write them have one digest."""
    try:
        return b64decode(value or "")
    except Error:  # a server never sends this; what somebody wants may be anything
        return (value or "").encode()
