"""What a test asks of etcd itself, by its JSON gateway, over the socket in the control plane's folder."""

from __future__ import annotations

import http.client
import json
import socket
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.errors import ToolError
from windlass.testing.command import ETCD_SOCKET

if TYPE_CHECKING:
    from pathlib import Path

_TIMEOUT = 10.0
_FIRST_KEY = "AA=="  # a byte of nought, as base64: any key will do to learn the revision


def compact(folder: Path) -> int:
    """Forget every version but the present one; returns the revision that this one has.

    Raises:
        ToolError: etcd refused, or cannot be reached.
    """
    revision = int(_call(folder, "range", {"key": _FIRST_KEY})["header"]["revision"])
    _call(folder, "compaction", {"revision": str(revision), "physical": True})
    return revision


def _call(folder: Path, what: str, body: dict[str, Any]) -> dict[str, Any]:
    connection = _UnixConnection(folder / ETCD_SOCKET)
    try:
        connection.request("POST", f"/v3/kv/{what}", json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        raise ToolError(f"etcd in {folder} cannot be reached: {error}") from error
    finally:
        connection.close()
    if answer.status != http.client.OK:
        raise ToolError(f"etcd refused {what}: {answer.status} {said}")
    found: dict[str, Any] = json.loads(said)
    return found


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("etcd", timeout=_TIMEOUT)
        self._path = path

    @override
    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_TIMEOUT)
        self.sock.connect(str(self._path))
