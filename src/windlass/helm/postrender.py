"""How objects are changed between rendering and deploying, by a function of the operator."""

from __future__ import annotations

import asyncio
import copy
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.api import read_yaml, write_yaml
from windlass.helm.aside import aside

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.api import Json
    from windlass.helm.engine import Change

PLUGIN: Final = "windlass-change"
"""The name that Helm 4 knows the post-renderer by."""

_FILE: Final = "postrenderer.helm.sh/postrender-filename"  # by it, Helm 4 knows hooks from other documents
_RELAY: Final = str(Path(__file__).with_name("relay.py"))


class PostRenderer:
    """Answers Helm's post-renderer, which Helm starts itself, over a socket in a private folder."""

    def __init__(self, change: Change, folder: Path) -> None:
        self._change = change
        self._socket = folder / "change"
        self.plugins = folder / "plugins"
        self.failure: Exception | None = None

    @property
    def command(self) -> Sequence[str]:
        """The program that Helm is to start, with its arguments."""
        return [sys.executable, "-I", "-S", _RELAY, str(self._socket)]

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[PostRenderer]:
        """Answer until the end of the block; what the change raises is kept in `failure`."""
        self._describe()
        server = await asyncio.start_unix_server(self._answer, self._socket)
        try:
            yield self
        finally:
            server.close()
            await server.wait_closed()

    def _describe(self) -> None:
        """Write down what Helm 4 wants to know of a plugin."""
        program, *arguments = self.command
        folder = self.plugins / PLUGIN
        folder.mkdir(parents=True)
        described = {
            "apiVersion": "v1",
            "type": "postrenderer/v1",
            "name": PLUGIN,
            "version": "1.0.0",
            "runtime": "subprocess",
            "runtimeConfig": {"platformCommand": [{"command": program, "args": arguments}]},
        }
        (folder / "plugin.yaml").write_bytes(orjson.dumps(described))

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(await changed(await reader.read(), self._change))
            await writer.drain()
        except Exception as error:  # noqa: BLE001 - an author's function; whoever deploys raises it
            self.failure = error
        finally:
            writer.close()


async def changed(stream: bytes, change: Change) -> bytes:
    """The documents of a stream as the change returns them; it does not see what Helm notes in them."""
    objects: list[Json] = await aside(len(stream), read_yaml, stream)
    if not objects:
        return b"# The chart renders nothing.\n"
    files = [_annotations(each).get(_FILE) for each in objects]
    plain = [_without_file(each) if file else each for each, file in zip(objects, files, strict=True)]
    result = change(plain)
    if len(result) != len(objects):
        raise ValueError(
            f"the change made {len(result)} objects of {len(objects)}; it must keep their number"
        )
    noted = [_with_file(each, file) if file else each for each, file in zip(result, files, strict=True)]
    return (await aside(len(stream), write_yaml, noted)).encode()


def _annotations(resource: Json) -> dict[str, Any]:
    return (resource.get("metadata") or {}).get("annotations") or {}


def _without_file(resource: Json) -> Json:
    plain = copy.deepcopy(resource)
    del plain["metadata"]["annotations"][_FILE]
    if not plain["metadata"]["annotations"]:
        del plain["metadata"]["annotations"]
    return plain


def _with_file(resource: Json, file: str) -> Json:
    annotations = {**_annotations(resource), _FILE: file}
    return {**resource, "metadata": {**(resource.get("metadata") or {}), "annotations": annotations}}
