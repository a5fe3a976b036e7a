"""What the real server says of each rule: of its definition, and of values."""

import asyncio
import json
import random
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from benchmarks.cel_corpus import RULES, Case, Schema
from benchmarks.cel_values import Values
from windlass.client import HttpTransport, Request, load_config
from windlass.testing import start_control_plane

GROUP = "trial.example.com"
TOGETHER = 10
DRAWN_AT_LEAST = 24
DRAWN_AT_MOST = 100
KEPT = 6
SERVED_IN = 30
PAUSE = 0.05
NAMED = re.compile(r"properties\[(r\d+)]")
DEAR = "contributed to estimated rule cost total"
DRY = (("dryRun", "All"),)

Verdict = tuple[str, str]


@dataclass(frozen=True)
class _Place:
    plural: str
    name: str


class _Server:
    """The requests of the trial."""

    def __init__(self, transport: HttpTransport) -> None:
        self._transport = transport
        self.kinds = 0

    async def define(
        self, plural: str, properties: dict[str, Schema], query: tuple[tuple[str, str], ...] = ()
    ) -> dict[str, str]:
        """Define a kind, and wait until it is served; why each property is refused, or "" for the whole."""
        if not properties:
            return {}
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        status, answer = await self._send("POST", path, _definition(plural, properties), query)
        if status != HTTPStatus.CREATED:
            causes = answer.get("details", {}).get("causes", [])
            named = [(NAMED.search(cause.get("field", "")), cause["message"]) for cause in causes]
            refused = {match[1]: message for match, message in named if match and DEAR not in message}
            return refused or {"": answer["message"]}
        if not query:
            await self._served(plural)
        return {}

    async def verdict(self, place: _Place, value: Any, old: Any) -> Verdict:
        """Whether a value is accepted or refused by the rule, or the rule failed; neither: ("", why)."""
        path = f"/apis/{GROUP}/v1/namespaces/default/{place.plural}"
        body: dict[str, Any] = {"apiVersion": f"{GROUP}/v1", "kind": _kind(place.plural)}
        body |= {"metadata": {"name": "one"}, "spec": {place.name: value}}
        if old is None:
            status, answer = await self._send("POST", path, body, DRY)
            return _verdict(status, answer)
        status, answer = await self._send("POST", path, {**body, "spec": {place.name: old}})
        if status != HTTPStatus.CREATED:
            return "", answer["message"]
        body["metadata"] = {"name": "one", "resourceVersion": answer["metadata"]["resourceVersion"]}
        status, answer = await self._send("PUT", f"{path}/one", body, DRY)
        await self._send("DELETE", f"{path}/one", {})
        return _verdict(status, answer)

    async def _served(self, plural: str) -> None:
        path = f"/apis/{GROUP}/v1/namespaces/default/{plural}"
        async with asyncio.timeout(SERVED_IN):
            while (await self._send("GET", path, {}))[0] != HTTPStatus.OK:  # noqa: ASYNC110 - no event tells
                await asyncio.sleep(PAUSE)

    async def _send(
        self, method: str, path: str, body: dict[str, Any], query: tuple[tuple[str, str], ...] = ()
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json"}
        sent = json.dumps(body).encode() if body else b""
        request = Request(method=method, path=path, query=query, headers=headers, body=sent)
        response = await self._transport.send(request)
        try:
            return response.status, json.loads(response.body)
        except json.JSONDecodeError:  # a path that is not served yet answers in plain text
            return response.status, {"message": response.body.decode()}


def judge(cases: list[Case], seed: int) -> None:
    """Fill in what the real server says of every case."""
    with start_control_plane() as running:
        asyncio.run(_judge(cases, seed, HttpTransport(load_config(running.access.kubeconfig))))


async def _judge(cases: list[Case], seed: int, transport: HttpTransport) -> None:
    server = _Server(transport)
    try:
        for start in range(0, len(cases), TOGETHER):
            batch = cases[start : start + TOGETHER]
            await _lack_a_field(server, batch)
            await _define(server, batch, seed)
    finally:
        await transport.close()


async def _lack_a_field(server: _Server, cases: list[Case]) -> None:
    undeclared = {f"r{index}": (case, _without_a_field(case)) for index, case in enumerate(cases)}
    wrong = {name: (case, schema) for name, (case, schema) in undeclared.items() if schema is not None}
    refused = await server.define("undeclared", {name: _ruled(*each) for name, each in wrong.items()}, DRY)
    for name, (case, _) in wrong.items():
        case.undeclared = refused.get(name, "")


def _without_a_field(case: Case) -> Schema | None:
    """The schema without the field that the rule selects first; nothing where it selects none."""
    for name in re.findall(r"self\.(\w+)(?!\w*\()", case.rule):
        properties = case.schema.get("properties", {})
        if name in properties:
            rest = {each: child for each, child in properties.items() if each != name}
            return {**case.schema, "properties": rest}
    return None


async def _define(server: _Server, cases: list[Case], seed: int) -> None:
    """Define these rules in one kind, without those that the server refuses, and try values on each."""
    plural = f"k{server.kinds}"
    server.kinds += 1
    wanted = {f"r{index}": case for index, case in enumerate(cases)}
    refused = await server.define(plural, {name: _ruled(case, case.schema) for name, case in wanted.items()})
    if not refused:
        for name, case in wanted.items():
            await _try(server, _Place(plural, name), case, random.Random(f"{seed} {case.rule}"))  # noqa: S311 - by seed
        return
    for name in refused.keys() & wanted.keys():
        wanted[name].refused = refused[name]
    rest = [case for name, case in wanted.items() if name not in refused]
    if len(rest) < len(cases):
        await _define(server, rest, seed)
    elif len(cases) == 1:
        cases[0].refused = refused[""]
    else:  # too dear together
        await _define(server, cases[: len(cases) // 2], seed)
        await _define(server, cases[len(cases) // 2 :], seed)


def _ruled(case: Case, schema: Schema) -> Schema:
    rule: dict[str, Any] = {"rule": case.rule}
    if case.optional_old_self:
        rule["optionalOldSelf"] = True
    if "\n" in case.rule:  # the server insists on a message, where it would quote the rule
        rule["message"] = "failed rule: of several lines"
    return {**schema, RULES: [rule]}


async def _try(server: _Server, place: _Place, case: Case, chance: random.Random) -> None:
    """Try drawn values, and keep a few: of each verdict, as far as there is one."""
    source = Values(case.rule, chance)
    by_verdict: dict[str, list[dict[str, Any]]] = {}
    for count in range(len(case.tries) or DRAWN_AT_MOST):
        if count >= DRAWN_AT_LEAST and len(by_verdict) > 1:
            break
        value, old = case.tries[count] if case.tries else source.pair(case)
        verdict, message = await server.verdict(place, value, old)
        if verdict:
            tried = {"value": value, "old": old, "verdict": verdict, "message": message}
            same = by_verdict.setdefault(verdict, [])
            if tried not in same:
                same.append(tried)
    while len(case.values) < KEPT and any(by_verdict.values()):
        case.values += [same.pop(0) for same in by_verdict.values() if same]


def _verdict(status: int, answer: dict[str, Any]) -> Verdict:
    if status in {HTTPStatus.OK, HTTPStatus.CREATED}:
        return "accepted", ""
    message = answer["message"]
    causes = [cause["message"] for cause in answer.get("details", {}).get("causes", [])]
    if len(causes) != 1:
        return "", message
    if "evaluating rule: " in causes[0]:
        return "error", causes[0]
    return ("refused", causes[0]) if "failed rule: " in causes[0] else ("", message)


def _kind(plural: str) -> str:
    return plural.capitalize()


def _definition(plural: str, properties: dict[str, Schema]) -> dict[str, Any]:
    spec = {"type": "object", "properties": properties}
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"plural": plural, "singular": plural, "kind": _kind(plural)},
            "versions": [version],
        },
    }
