"""The whole survey: every manifest of every kind, with the server's answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from windlass.apiserver.builtin import kinds, library
from windlass.client import Request
from windlass.errors import ApiError

from .manifest import Json, manifest, paths, walk
from .vary import variations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.builtin import BuiltinKind
    from windlass.client import Client
    from windlass.schema import Shape

UNASKED = frozenset({"Binding"})
"""Kinds of which nothing is ever kept."""
UNASKED_GROUPS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
AT_ONCE = 12


@dataclass(frozen=True, slots=True)
class Question:
    """A manifest, what it is about, and whether the server must take it."""

    resource: BuiltinKind
    about: str
    body: Json
    needed: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said to a question: an object, or why not."""

    question: Question
    body: Json | None
    refusal: str = ""

    @property
    def shape(self) -> Shape:
        """The schema of the object."""
        return library().shape(self.question.resource.definition)


def questions() -> Iterator[Question]:
    """Each structure of each kind, and for each place of a definition the variations of its fields."""
    seen: set[tuple[str, str]] = set()
    for resource in kinds():
        kind = resource.kind
        if "create" not in resource.verbs or kind.name in UNASKED or kind.group in UNASKED_GROUPS:
            continue
        root = library().shape(resource.definition)
        for path in paths(root):
            about = ".".join((kind.name, *path))
            yield Question(resource, about, _whole(resource, manifest(root, path)[0]), needed=True)
            place = (walk(root, path[:-1]).name, path[-1]) if path else (root.name, "")
            if place not in seen:
                seen.add(place)
                for field, body in variations(root, path):
                    yield Question(resource, f"{about}.{field}", _whole(resource, body), needed=False)


def _whole(resource: BuiltinKind, body: Json) -> Json:
    meta = {"name": "probe"} | ({"namespace": "default"} if resource.kind.namespaced else {})
    return {
        **body,
        "apiVersion": resource.kind.api_version,
        "kind": resource.kind.name,
        "metadata": meta | body.get("metadata", {}),
    }


async def answers(client: Client) -> list[Answer]:
    """The server's answers to all questions; they are dry runs and leave nothing behind."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def ask(question: Question) -> Answer:
        async with turns:
            return await _ask(client, question)

    return await asyncio.gather(*(ask(each) for each in questions()))


async def _ask(client: Client, question: Question) -> Answer:
    kind = question.resource.kind
    root = "/apis" if kind.group else "/api"
    space = "/namespaces/default" if kind.namespaced else ""
    request = Request(
        method="POST",
        path=f"{root}/{kind.api_version}{space}/{kind.plural}",
        query=(("dryRun", "All"), ("fieldValidation", "Strict")),
        headers={"Content-Type": "application/json"},
        body=orjson.dumps(question.body),
    )
    try:
        body: Any = await client.json(request)
    except ApiError as error:
        return Answer(question, None, str(error))
    return Answer(question, body)
