"""Webhooks for the contract suite: an HTTPS server on loopback that both API servers can call."""

from __future__ import annotations

import asyncio
import base64
import ssl
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from aiohttp import web

from polling import until
from windlass.pki import authority, serving_certificate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from contract import Api, Reply

Object = dict[str, Any]
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
_NO_PROBE = {"matchExpressions": [{"key": "probe", "operator": "DoesNotExist"}]}
CONFIG_MAPS = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["CREATE", "UPDATE"],
    "resources": ["configmaps"],
}


def rule(*resources: str, **settings: Any) -> Object:
    """A rule for every operation on these resources of all groups and versions, unless said otherwise."""
    everything = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"]}
    return {**everything, "resources": list(resources), **settings}


def labelled(**labels: str) -> Object:
    """A selector of these labels."""
    return {"matchLabels": labels}


def patched(*operations: tuple[Any, ...]) -> Object:
    """A response with a patch, whose operations are given as (op, path) or (op, path, value)."""
    return allowed(patch=[dict(zip(("op", "path", "value"), each, strict=False)) for each in operations])


def allowed(**response: Any) -> Object:
    """The response of a webhook that lets pass, with a patch if one is given."""
    patch = response.pop("patch", None)
    if patch is not None:
        response |= {"patchType": "JSONPatch", "patch": base64.b64encode(orjson.dumps(patch)).decode()}
    return {"allowed": True, **response}


def denied(**status: Any) -> Object:
    """The response of a webhook that does not."""
    return {"allowed": False, "status": status}


def added(path: str, value: Any) -> Object:
    """A patch that adds a value."""
    return allowed(patch=[{"op": "add", "path": path, "value": value}])


@dataclass
class Hooks:
    """The server: what each of its paths answers, and what it was asked."""

    url: str
    bundle: str
    responders: dict[str, Any] = field(default_factory=dict)
    asked: list[tuple[str, Object]] = field(default_factory=list)

    def respond(self, path: str, response: Any) -> None:
        """Answer requests to a path by this response, or by what this function makes of the request."""
        self.responders[path] = response if callable(response) else lambda _request: response

    def requests(self, path: str = "") -> list[Object]:
        """The requests to a path, or to any."""
        return [review["request"] for where, review in self.asked if path in ("", where)]

    def client(self, path: str) -> Object:
        """The clientConfig of a webhook at a path."""
        return {"url": f"{self.url}{path}", "caBundle": self.bundle}

    def hook(self, path: str, namespace: str, **settings: Any) -> Object:
        """A webhook for the ConfigMaps of one namespace; `None` leaves a setting out."""
        given = {
            "name": f"{path.strip('/')}.example.com",
            "clientConfig": self.client(path),
            "rules": [CONFIG_MAPS],
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "timeoutSeconds": 5,
            **settings,
        }
        return {key: value for key, value in given.items() if value is not None}

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer a review."""
        review = orjson.loads(await request.read())
        self.asked.append((request.path, review))
        response = self.responders[request.path](review["request"])
        if hasattr(response, "__await__"):
            response = await response
        if isinstance(response, web.Response):
            return response
        kept = {"uid": review["request"]["uid"], **response}
        answer = {"kind": review["kind"], "apiVersion": review["apiVersion"], "response": kept}
        return web.Response(body=orjson.dumps(answer), content_type="application/json")


class Hooked:
    """An API server and webhooks for one namespace of it."""

    def __init__(self, api: Api, hooks: Hooks, namespace: str) -> None:
        self.api = api
        self.hooks = hooks
        self.namespace = namespace
        self.path = f"/api/v1/namespaces/{namespace}/configmaps"

    async def create(self, name: str = "x", labels: dict[str, str] | None = None, **query: Any) -> Reply:
        """Create a ConfigMap."""
        meta = {"name": name} | ({"labels": labels} if labels else {})
        return await self.api.create(self.path, {"metadata": meta}, **query)

    def hook(self, path: str, **settings: Any) -> Object:
        """A webhook for the ConfigMaps of the namespace."""
        return self.hooks.hook(path, self.namespace, **settings)

    def mutating(self, *webhooks: Object) -> AbstractAsyncContextManager[None]:
        """Webhooks that change objects, for the length of a block."""
        return self.configured("mutating", *webhooks)

    def validating(self, *webhooks: Object) -> AbstractAsyncContextManager[None]:
        """Webhooks that judge objects, for the length of a block."""
        return self.configured("validating", *webhooks)

    @asynccontextmanager
    async def configured(self, phase: str, *webhooks: Object) -> AsyncIterator[None]:
        """Webhooks, once they are seen to be in effect: with them comes one that refuses a probe."""
        path = f"{ADMISSION}/{phase}webhookconfigurations"
        probe = self.hook("/probe", objectSelector={"matchLabels": {"probe": "yes"}})
        self.hooks.respond("/probe", denied(message="seen"))
        others = [{"objectSelector": _NO_PROBE, **each} for each in webhooks]
        body = {"metadata": {"name": self.namespace}, "webhooks": [probe, *others]}
        (await self.api.create(path, body)).ok()
        try:
            await until(
                lambda: self.create("probe", {"probe": "yes"}, dryRun="All"),
                lambda reply: "seen" in str(reply.body),
            )
            self.hooks.asked.clear()
            yield
        finally:
            (await self.api.delete(f"{path}/{self.namespace}")).ok()


@asynccontextmanager
async def serving_hooks(*names: str) -> AsyncIterator[Hooks]:
    """A server of webhooks for the length of a block, whose certificate has these names, too."""
    ca = authority("webhooks")
    pair = serving_certificate(ca, ["127.0.0.1", *names])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory() as folder:
        for name, text in (("crt", pair.certificate), ("key", pair.key)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:  # noqa: ASYNC230, PTH123 - it is small
                file.write(text)
        context.load_cert_chain(f"{folder}/crt", f"{folder}/key")
    hooks = Hooks("", base64.b64encode(ca.certificate.encode()).decode())
    server = web.Server(hooks.handle)
    listening = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0, ssl=context)
    hooks.url = f"https://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield hooks
    finally:
        listening.close()
        await server.shutdown(0.1)


@pytest.fixture
async def hooked_fixture(api: Api, namespace: str) -> AsyncIterator[Hooked]:
    """Webhooks for the namespace of this test; `conftest.py` names the fixture `hooked`."""
    async with serving_hooks(f"hooks.{namespace}.svc") as hooks:
        yield Hooked(api, hooks, namespace)
