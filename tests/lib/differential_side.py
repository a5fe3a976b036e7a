"""One of the two servers that are compared: it gets requests, and remembers what it answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from contract import Api, Reply
from contract_callers import WithHeaders
from differential_change import below
from differential_normal import Normal
from differential_step import Open
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from contract import Object
    from differential_step import Caller, Step
    from windlass.client import Transport


HUNG_UP: Final = 0
"""The status of no answer."""


@dataclass(frozen=True)
class Door:
    """How a server is reached without credentials, and the tokens that it knows, by names.

    A sequence of requests may add tokens.
    """

    transport: Transport
    tokens: dict[str, str]

    def opened(self, caller: Caller) -> Api:
        """Requests of a caller."""
        token = self.tokens.get(caller.token)
        authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
        return Api(WithHeaders(self.transport, {**authorization, **caller.headers}))


class Side:
    """A server. `forget` begins a new sequence of requests. Only one with a door has several callers."""

    def __init__(self, api: Api, door: Door | None = None) -> None:
        self.api = api
        self.door = door
        self.forget()

    def forget(self) -> None:
        """Remember nothing of what was answered."""
        self.normal = Normal()
        for name, token in (self.door.tokens if self.door else {}).items():
            self.normal.know(token, f"token of {name}")
        self._read: dict[str, Object] = {}
        self._versions: dict[str, list[str]] = {}
        self._continue: dict[str, str] = {}

    def stored(self, path: str) -> Object | None:
        """The object at a path as it was last read; `None` when it was not there."""
        return self._read.get(path)

    def fill(self, value: Open) -> Any:
        """What an open value is on this server; empty where it never answered so."""
        if value.what == "value":
            found: Any = self._read.get(value.path)
            for step in value.way:
                found = below(found, step)
            return found
        if value.what == "token":
            return self._open_door.tokens.get(value.path, "")
        if value.what == "continue":
            return self._continue.get(value.path, "")
        versions = self._versions.get(value.path, [""])
        return versions[-1] if value.what == "version" else versions[-2:][0]

    async def send(self, step: Step) -> Reply:
        """Send a request and remember its answer."""
        query = {
            name: self.fill(value) if isinstance(value, Open) else value for name, value in step.query.items()
        }
        body = step.body(self.fill)
        api = self.api if step.caller is None else self._open_door.opened(step.caller)
        try:
            reply = await api.send(
                step.method, step.path, body, content_type=step.content_type, accept=step.accept, **query
            )
        except ConnectionFailedError:  # the real server hangs up where its handler panics
            return Reply(HUNG_UP, None)
        if step.method == "GET":
            self._remember(step, reply)
        elif body and b"generateName" in body:
            self.normal.learn(reply.body)
        return reply

    @property
    def _open_door(self) -> Door:
        assert self.door is not None, "only the administrator can call this server"
        return self.door

    def _remember(self, step: Step, reply: Reply) -> None:
        if reply.status != 200:
            self._read.pop(step.path, None)
            return
        metadata = reply.body.get("metadata") or {}
        self._continue[step.path] = metadata.get("continue", "")
        if "uid" in metadata:
            self._read[step.path] = reply.body
            versions = self._versions.setdefault(step.path, [])
            if metadata["resourceVersion"] not in versions:
                versions.append(metadata["resourceVersion"])

    async def events(self, path: str, since: str, last: str, own: str = "") -> list[Object]:
        """The events of a collection after a version, up to the one of the object named `last`.

        Only those of objects whose names begin with `own`: others may have objects there too.
        """
        found = []
        async with self.api.watch(path, resourceVersion=since) as events:
            async for event in events:
                failed, name = event["type"] == "ERROR", event["object"]["metadata"].get("name", "")
                if failed or name.startswith(own):
                    found.append({**event, "object": self.normal.body(event["object"])})
                if failed or name == last:
                    break
        return found
