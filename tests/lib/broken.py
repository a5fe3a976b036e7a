"""Manifests that a server must refuse, written as edits of a valid one, with the refusals as recorded.

A table is a module with `SAMPLES`; beside it stands a JSON file with what the real server answers to each of
its edits. `scripts/record_broken.py` writes that file. A test sends the edited manifests to any server and
compares the answers.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from contract import Api, Object, Reply

    Edit = Mapping[str, Any]

ABSENT: Final = object()
"""The value of an edit that removes."""


@dataclass(frozen=True)
class Sample:
    """A valid manifest of a kind, and edits of it: JSON pointers to values, `ABSENT` to remove.

    `refused` may not be created. `frozen` may not be made of the valid manifest by an update. `accepted` may
    be created: they show that a rule does not refuse too much. `changed` may be updates.
    """

    valid: Object
    refused: Mapping[str, Edit]
    frozen: Mapping[str, Edit] = field(default_factory=dict)
    accepted: Mapping[str, Edit] = field(default_factory=dict)
    changed: Mapping[str, Edit] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The kind, with its group where that is not the core one."""
        group, _, _ = self.valid["apiVersion"].rpartition("/")
        return f"{self.valid['kind']}.{group}" if group else str(self.valid["kind"])


def edited(body: Object, edit: Edit) -> Object:
    """A copy of an object with some values put, replaced or removed; maps on the way are made."""
    result = deepcopy(body)
    for pointer, value in edit.items():
        *way, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
        target: Any = result
        for step in way:
            target = target[int(step)] if isinstance(target, list) else target.setdefault(step, {})
        if isinstance(target, list):
            _edit_list(target, last, value)
        elif value is ABSENT:
            target.pop(last, None)
        else:
            target[last] = deepcopy(value)
    return result


def _edit_list(target: list[Any], step: str, value: Any) -> None:
    if value is ABSENT:
        del target[int(step)]
    elif step == "-":
        target.append(deepcopy(value))
    else:
        target[int(step)] = deepcopy(value)


def path_of(namespace: str, body: Object, plural: str = "") -> str:
    """Where objects of this kind are created; `namespace` is empty for those that live in none."""
    version, kind = body["apiVersion"], str(body["kind"]).lower()
    plural = plural or (
        f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}{'es' if kind.endswith('s') else 's'}"
    )
    root = f"/{'apis' if '/' in version else 'api'}/{version}"
    return f"{root}/namespaces/{namespace}/{plural}" if namespace else f"{root}/{plural}"


def answer(reply: Reply) -> Object:
    """What is compared of a refusal: code, reason, message and causes, each cause once.

    The real server checks some fields twice on an update and lists what it finds twice.
    """
    causes = [
        [cause.get("field", ""), cause.get("message", "")]
        for cause in (reply.body.get("details") or {}).get("causes", ())
    ]
    unique = [cause for index, cause in enumerate(causes) if cause not in causes[:index]]
    return {
        "code": reply.status,
        "reason": reply.body.get("reason", ""),
        "message": reply.body.get("message", ""),
        "causes": unique,
    }


async def ask_create(api: Api, path: str, sample: Sample, edit: Edit) -> Reply:
    """The answer to the creation of the edited manifest; nothing is kept."""
    return await api.create(path, edited(sample.valid, edit), dryRun="All")


async def ask_update(api: Api, path: str, sample: Sample, edit: Edit) -> Reply:
    """The answer to an update of the valid manifest, which must exist, to the edited one; nothing is kept."""
    name = sample.valid["metadata"]["name"]
    current = (await api.get(f"{path}/{name}")).ok()
    return await api.update(f"{path}/{name}", edited(current, edit), dryRun="All")


def recorded(table: str) -> Object:
    """The answers of the real server to a table's edits: kind → `refused` or `frozen` → name → answer."""
    return dict(orjson.loads(Path(__file__).with_name(f"{table}.json").read_bytes()))


def cases(samples: tuple[Sample, ...], sort: str) -> Iterator[tuple[str, Sample, Edit]]:
    """Every edit of one sort (`refused`, `frozen`, …), as (kind and name, sample, edit)."""
    for sample in samples:
        for name, edit in getattr(sample, sort).items():
            yield f"{sample.title}: {name}", sample, edit
