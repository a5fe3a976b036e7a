"""A server that is killed again and again under load, and the comparison of what it said with what is there."""

from __future__ import annotations

import asyncio
import json
import os
import re
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from ledger import Ledger, State
from windlass.client import NO_RETRY, ClientOptions, Request, connect, load_config
from windlass.errors import ConnectionFailedError, NotFound

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.client import Client

CONFIG_MAPS: Final = "/api/v1/namespaces/default/configmaps"
WIDGETS: Final = "/apis/example.com/v1/namespaces/default/widgets"
CRDS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
NUMBER: Final = "example.com/number"
_PATIENCE: Final = 30.0
_MOST_WRITES: Final = 150
_WRITERS: Final = 6
_JSON: Final = "application/json"
_MERGE: Final = "application/merge-patch+json"
_KINDS: Final = {
    "configmaps": ("v1", "ConfigMap"),
    "customresourcedefinitions": ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
}


class Watched:
    """One watch over all lives of a server: it begins each time after the last version that it has seen."""

    def __init__(self, collection: str, findings: list[str]) -> None:
        self.collection = collection
        self.seen: dict[str, list[str]] = {}
        self._version = 0
        self._findings = findings
        self._read = asyncio.Condition()

    async def begin(self, client: Client) -> None:
        """Learn where to begin, the first time."""
        if not self._version:
            listed = await client.json(Request(method="GET", path=self.collection))
            self._version = int(listed["metadata"]["resourceVersion"])

    async def follow(self, client: Client) -> None:
        """Read until the server is killed."""
        query = (("watch", "1"), ("resourceVersion", str(self._version)))
        try:
            async with client.stream(Request(method="GET", path=self.collection, query=query)) as stream:
                async for line in stream.lines():
                    self._note(json.loads(line))
                    async with self._read:
                        self._read.notify_all()
        except ConnectionFailedError:
            pass

    async def sees(self, number: int) -> bool:
        """Wait until a number was seen; whether it came."""

        def came() -> bool:
            return any(str(number) in numbers for numbers in self.seen.values())

        try:
            async with asyncio.timeout(_PATIENCE), self._read:
                await self._read.wait_for(came)
        except TimeoutError:
            self._findings.append(f"{self.collection}: the watch never saw {number}")
        return came()

    def compare(self, ledger: Ledger) -> None:
        """Nothing else was seen than what happened, in the same order for each object, and all of it."""
        for path in sorted(self.seen.keys() | ledger.happened.keys()):
            if path.rpartition("/")[0] != self.collection:
                continue
            seen, happened = self.seen.get(path, []), ledger.happened.get(path, [])
            if seen != happened:
                self._findings.append(f"{path}: {happened[-5:]} happened, {seen[-5:]} was seen")

    def _note(self, event: Any) -> None:
        if event["type"] == "ERROR":
            self._findings.append(f"{self.collection}: the watch ended: {event['object']['message']}")
            return
        path = f"{self.collection}/{event['object']['metadata']['name']}"
        state = state_of(event["object"])
        if state.version <= self._version:
            self._findings.append(f"{path}: {state} was seen after version {self._version}")
        self._version = state.version
        gone = " gone" if event["type"] == "DELETED" else ""
        self.seen.setdefault(path, []).append(f"{state.number}{gone}")


class Trial:
    """Lives of one server, whose `command` starts it and prints which kubeconfig to use."""

    def __init__(self, command: Sequence[str], scratch: Path, seed: int) -> None:
        self.ledger = Ledger()
        self._command = command
        self._environment = {**os.environ, "TMPDIR": str(scratch)}
        self._chance = Random(seed)
        self._watches = [Watched(each, self.ledger.findings) for each in (CONFIG_MAPS, WIDGETS)]
        self._written = asyncio.Condition()

    async def live(self) -> None:
        """Start, compare, go on writing, and be killed at some moment."""
        if self._chance.random() < 0.1:
            await self._be_killed_early()
        async with self._running() as (process, client), asyncio.TaskGroup() as tasks:
            for path in self.ledger.paths():
                self.ledger.compare(path, await _read(client, path))
            if not self.ledger.findings:
                await self._write_and_watch(client, tasks)
            process.kill()
            await process.wait()

    async def end(self) -> None:
        """Start once more, and compare."""
        async with self._running() as (_, client):
            for path in self.ledger.paths():
                self.ledger.compare(path, await _read(client, path))

    async def _write_and_watch(self, client: Client, tasks: asyncio.TaskGroup) -> None:
        if f"{CRDS}/widgets.example.com" not in self.ledger.known:
            await self._write(client, CRDS, "widgets.example.com", "create")
        for watch in self._watches:
            await watch.begin(client)
            tasks.create_task(watch.follow(client))
        for watch in self._watches:
            known = f"{watch.collection}/last" in self.ledger.known
            await self._write(client, watch.collection, "last", "update" if known else "create")
            if not await watch.sees(self.ledger.known[f"{watch.collection}/last"].number):
                return
            watch.compare(self.ledger)
        for number in range(_WRITERS):
            tasks.create_task(self._keep_writing(client, number))
        enough = self.ledger.acknowledged + self._chance.randrange(1, _MOST_WRITES)
        async with asyncio.timeout(_PATIENCE), self._written:
            await self._written.wait_for(lambda: self.ledger.acknowledged >= enough)
        # Any moment, not only the one after an answer.
        await asyncio.sleep(self._chance.random() * 0.003)

    async def _keep_writing(self, client: Client, writer: int) -> None:
        """Write until the server is killed."""
        try:
            while True:
                match writer:
                    case 0:
                        await self._define(client)
                    case 1 | 2:
                        await self._change(client, WIDGETS, f"w{writer}-{self._chance.randrange(4)}")
                    case _:
                        await self._change(client, CONFIG_MAPS, f"c{writer}-{self._chance.randrange(4)}")
        except ConnectionFailedError:
            return

    async def _define(self, client: Client) -> None:
        """The next thing that can be done about a kind of its own and its one object."""
        plural = f"things{self._chance.randrange(3)}"
        things = f"/apis/example.com/v1/namespaces/default/{plural}"
        if f"{CRDS}/{plural}.example.com" not in self.ledger.known:
            await self._write(client, CRDS, f"{plural}.example.com", "create")
        elif f"{things}/one" in self.ledger.known or self._chance.random() < 0.5:
            await self._change(client, things, "one")
        else:
            await self._change(client, CRDS, f"{plural}.example.com")

    async def _change(self, client: Client, collection: str, name: str) -> None:
        # The server writes to definitions too, so that a writer does not know their newest versions.
        ways = ("patch", "apply", "delete") if collection == CRDS else ("update", "patch", "apply", "delete")
        exists = f"{collection}/{name}" in self.ledger.known
        await self._write(client, collection, name, self._chance.choice(ways) if exists else "create")

    async def _write(self, client: Client, collection: str, name: str, how: str) -> None:
        path = f"{collection}/{name}"
        number = next(self.ledger.numbers)
        request = self._request(collection, name, how, number)
        self.ledger.ask(path, None if how == "delete" else number)
        answer = await client.json(request)
        self.ledger.answer(path, int(answer["metadata"].get("resourceVersion", "0")))
        async with self._written:
            self._written.notify_all()

    def _request(self, collection: str, name: str, how: str, number: int) -> Request:
        path, obj = f"{collection}/{name}", _object(collection, name, number)
        if how == "create":
            if collection == CONFIG_MAPS:
                obj["data"] = {"text": "x" * self._chance.randrange(20_000)}
            return _request("POST", collection, obj)
        if how == "patch":
            return _request("PATCH", path, {"metadata": {"annotations": {NUMBER: str(number)}}}, _MERGE)
        if how == "apply":
            query = (("fieldManager", "test"), ("force", "true"))
            return _request("PATCH", path, obj, "application/apply-patch+yaml", query)
        if how == "delete":
            return _request("DELETE", path, {})
        obj["metadata"]["resourceVersion"] = str(self.ledger.known[path].version)
        return _request("PUT", path, obj)

    async def _be_killed_early(self) -> None:
        """Start, and be killed on the way."""
        process = await self._start()
        await asyncio.sleep(self._chance.random() * 0.5)
        process.kill()
        await process.communicate()

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(*self._command, stdout=pipe, env=self._environment)

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[tuple[asyncio.subprocess.Process, Client]]:
        process = await self._start()
        try:
            assert process.stdout is not None
            async with asyncio.timeout(_PATIENCE):
                said = (await process.stdout.readuntil(b"\nCtrl-C")).decode()
            found = re.search(r"KUBECONFIG=(.*)$", said, re.MULTILINE)
            assert found is not None
            config = load_config(Path(found[1]))
            async with connect(config, ClientOptions(retry=NO_RETRY)) as client:
                yield process, client
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()


def state_of(obj: Any) -> State:
    """The state of an object as a server shows it."""
    meta = obj["metadata"]
    return State(int(meta["annotations"][NUMBER]), int(meta["resourceVersion"]))


async def _read(client: Client, path: str) -> State | None:
    try:
        return state_of(await client.json(Request(method="GET", path=path)))
    except NotFound:
        return None


def _request(
    method: str, path: str, body: Any, media: str = _JSON, query: tuple[tuple[str, str], ...] = ()
) -> Request:
    headers = {"content-type": media}
    return Request(method=method, path=path, query=query, headers=headers, body=json.dumps(body).encode())


def _object(collection: str, name: str, number: int) -> dict[str, Any]:
    plural = collection.rpartition("/")[2]
    version, kind = _KINDS.get(plural, ("example.com/v1", plural.capitalize()))
    meta = {"name": name, "annotations": {NUMBER: str(number)}}
    obj: dict[str, Any] = {"apiVersion": version, "kind": kind, "metadata": meta}
    if collection == CRDS:
        obj["spec"] = _definition(name.partition(".")[0])
    return obj


def _definition(plural: str) -> dict[str, Any]:
    schema = {"openAPIV3Schema": {"type": "object"}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    names = {"plural": plural, "kind": plural.capitalize()}
    return {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]}
