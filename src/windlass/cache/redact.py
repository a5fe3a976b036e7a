from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SIZE = 16


class Redactor:
    """Replaces the values of Secrets by digests with a key that is known to this process alone.

    A digest stands where the value stood and has its type, and equal values have equal digests: a change
    still shows, and what is wanted can be compared with what is there once it is redacted too.
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
        return b64encode(blake2b(value, key=self._key, digest_size=_SIZE).digest()).decode()


def _decoded(value: str | None) -> bytes:
    """The bytes that a value means, so that two ways to write them have one digest."""
    try:
        return b64decode(value or "")
    except Error:  # a server never sends this; what somebody wants may be anything
        return (value or "").encode()
