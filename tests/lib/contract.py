"""Plain requests to an API server, whichever it is, for the contract suite."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from windlass.client import Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from windlass.client import Transport

JSON = "application/json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY = "application/apply-patch+yaml"

Object = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """An answer: its status, its body (parsed where it is JSON), its headers and warnings."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def ok(self) -> Object:
        """The body of an answer that must be a success."""
        assert 200 <= self.status < 300, f"{self.status}: {self.body}"
        assert isinstance(self.body, dict)
        return self.body

    def refused(self, status: int, reason: str | None) -> Object:
        """The Status of an answer that must be this refusal."""
        assert (self.status, self.body.get("reason")) == (status, reason), f"{self.status}: {self.body}"
        assert self.body["kind"] == "Status"
        assert self.body["status"] == "Failure"
        assert self.body["code"] == status
        return dict(self.body)

    @property
    def fields(self) -> list[str]:
        """The fields that a refusal complains about."""
        return [cause.get("field", "") for cause in (self.body.get("details") or {}).get("causes", ())]


class Api:
    """Sends requests as they are: no retries, no types, every answer returned."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        content_type: str = JSON,
        accept: str = JSON,
        **query: str | int | bool,
    ) -> Reply:
        """Send one request. Query parameters are given by name: `labelSelector="a=b", limit=2`."""
        request = _request(method, path, query, {"Accept": accept})
        if body is not None:
            data = body if isinstance(body, bytes) else orjson.dumps(body)
            request = Request(
                method=method,
                path=path,
                query=request.query,
                headers={"Accept": accept, "Content-Type": content_type},
                body=data,
            )
        response = await self.transport.send(request)
        return Reply(response.status, _parsed(response.body), response.headers, response.warnings)

    async def get(self, path: str, **query: Any) -> Reply:
        return await self.send("GET", path, **query)

    async def create(self, path: str, body: Any, **query: Any) -> Reply:
        return await self.send("POST", path, body, **query)

    async def update(self, path: str, body: Any, **query: Any) -> Reply:
        return await self.send("PUT", path, body, **query)

    async def delete(self, path: str, body: Any = None, **query: Any) -> Reply:
        return await self.send("DELETE", path, body, **query)

    async def patch(self, path: str, body: Any, content_type: str = MERGE, **query: Any) -> Reply:
        return await self.send("PATCH", path, body, content_type=content_type, **query)

    async def apply(self, path: str, body: Any, manager: str = "tester", **query: Any) -> Reply:
        return await self.patch(path, body, APPLY, fieldManager=manager, **query)

    @asynccontextmanager
    async def watch(self, path: str, **query: Any) -> AsyncIterator[AsyncIterator[Object]]:
        """The events of a watch, each parsed; a refusal fails the test."""
        accept = query.pop("accept", JSON)
        request = _request("GET", path, {"watch": True, **query}, {"Accept": accept})
        async with self.transport.stream(request) as stream:
            lines = stream.lines()
            assert stream.status == 200, [line async for line in lines]
            yield (orjson.loads(line) async for line in lines if line)


def _request(method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str]) -> Request:
    parameters = tuple(
        (name.rstrip("_"), str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in query.items()
    )
    return Request(method=method, path=path, query=parameters, headers=headers)


def _parsed(body: bytes) -> Any:
    """JSON where it is JSON, text where it is text, otherwise (protobuf) the bytes."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


def config_map(name: str = "", data: Mapping[str, str] | None = None, **metadata: Any) -> Object:
    """A ConfigMap: the simplest object there is."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": ({"name": name} if name else {}) | metadata,
        **({"data": dict(data)} if data is not None else {}),
    }


def deployment(name: str, replicas: int = 1, **metadata: Any) -> Object:
    """A valid Deployment with one container and few fields set, so that the server's defaults show."""
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, **metadata},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": "example.com/app:1"}]},
            },
        },
    }


def pod(name: str, **spec: Any) -> Object:
    """A valid Pod that needs no service account to exist."""
    containers = [{"name": "main", "image": "example.com/app:1"}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name},
        "spec": {"containers": containers, "automountServiceAccountToken": False, **spec},
    }
