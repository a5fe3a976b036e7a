from __future__ import annotations

import binascii
from base64 import b64decode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windlass.client.credentials import read_file
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One named cluster, user or context of a kubeconfig, and the file that it came from.

    Its readers check the type of what they read; a fault names the file, the entry and the field.
    """

    kind: str
    name: str
    file: Path
    data: Mapping[str, Any] = field(repr=False)

    @property
    def where(self) -> str:
        """The entry as messages name it."""
        return f'{self.file}: {self.kind} "{self.name}"'

    def fault(self, text: str) -> ConfigError:
        """The error that tells what is wrong with this entry."""
        return ConfigError(f"{self.where}: {text}")

    def text(self, key: str) -> str:
        """A string, empty when it is absent."""
        value = self.data.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.fault(f"{key} must be a string, not {_said(value)}; put the value in quotes")
        return value

    def flag(self, key: str) -> bool:
        """A boolean, false when it is absent."""
        value = self.data.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        raise self.fault(f"{key} must be true or false, not {_said(value)}")

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty when it is absent."""
        value = self.data.get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise self.fault(f"{key} must be a list of strings; put each value in quotes")

    def items(self, key: str) -> list[Mapping[str, Any]]:
        """A list of mappings, empty when it is absent."""
        value = self.data.get(key)
        if value is None:
            return []
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return value
        raise self.fault(f"{key} must be a list of mappings")

    def part(self, key: str) -> Entry | None:
        """A mapping inside this entry, read with the same care."""
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.fault(f"{key} must be a mapping, not {_said(value)}")
        return Entry(kind=self.kind, name=self.name, file=self.file, data=value)

    def path(self, key: str) -> Path | None:
        """A path, taken from the folder of the file that names it; it holds wherever the process goes."""
        text = self.text(key)
        return self.file.absolute().parent / text if text else None

    def material(self, key: str) -> bytes | None:
        """What `<key>-data` holds in base64, or else what the file named by `<key>` holds."""
        inline = self.text(f"{key}-data")
        if inline:
            return self._decoded(f"{key}-data", inline)
        path = self.path(key)
        return read_file(path, self.where, key) if path else None

    def _decoded(self, key: str, text: str) -> bytes:
        try:
            return b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError) as error:
            raise self.fault(
                f"{key} is not valid base64 ({error}); it must be the whole PEM file "
                f"encoded with `base64`, and a PEM file itself is named by {key.removesuffix('-data')}"
            ) from error


def _said(value: object) -> str:
    """A value's kind in the words of YAML."""
    names = {bool: "a boolean", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), "a string")
