"""Manifests that a server must refuse, written as edits of a valid one, with the refusals as recorded.

A table is a module with `SAMPLES`; beside it stands a JSON file with what the real server answers to each of
its edits. `scripts/record_broken.py` writes that file. A test sends the edited manifests to any server and
compares the answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from contract import Api, Object, Reply

Edit = Mapping[str, Any]
"""JSON pointers to values."""

Edits = Mapping[str, Edit]
"""Edits by their names, which say what is wrong."""

_UID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_POD: Final = re.compile(
    r"(?<=Invalid value: )\{(?:(?!Invalid value: ).)*?[tT]erminationGracePeriodSeconds"
    r"(?:(?!Invalid value: ).)*?\}(?=: field is immutable)",
    re.DOTALL,
)
_DIFFERENCE: Final = re.compile(r"(pod updates may not change fields other than [^\n]*)\n.*", re.DOTALL)

WORKLOADS: Final = ("broken_pods", "broken_pod_specs", "broken_workloads", "broken_jobs")
"""The tables of pods, their templates, and jobs."""

OTHERS: Final = (
    "broken_access",
    "broken_addresses",
    "broken_admission",
    "broken_autoscaling",
    "broken_cluster",
    "broken_core",
    "broken_drivers",
    "broken_limits",
    "broken_mutations",
    "broken_network",
    "broken_services",
    "broken_storage",
)
"""The tables of all other kinds."""

ABSENT: Final = object()
"""The value of an edit that removes."""


@dataclass(frozen=True)
class Sample:
    """A valid manifest of a kind, and edits of it: JSON pointers to values, `ABSENT` to remove.

    `refused` may not be created. `frozen` may not be made of the valid manifest by an update. `accepted` may
    be created: they show that a rule does not refuse too much. `changed` may be updates. `status` may not be
    written to the status. An object that lives in no namespace is not `namespaced`. `variant` tells apart two
    samples of a kind; `plural` is given where it does not follow from the kind.
    """

    valid: Object
    refused: Edits
    frozen: Edits = field(default_factory=dict)
    accepted: Edits = field(default_factory=dict)
    changed: Edits = field(default_factory=dict)
    status: Edits = field(default_factory=dict)
    namespaced: bool = True
    variant: str = ""
    plural: str = ""

    @property
    def title(self) -> str:
        """The kind, with its group where that is not the core one."""
        group, _, _ = self.valid["apiVersion"].rpartition("/")
        named = f"{self.valid['kind']}.{group}" if group else str(self.valid["kind"])
        return f"{named} ({self.variant})" if self.variant else named


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


def path_of(namespace: str, sample: Sample) -> str:
    """Where objects of a sample's kind are created."""
    version, kind = sample.valid["apiVersion"], str(sample.valid["kind"]).lower()
    ending = "es" if kind.endswith("s") else "s"
    plural = sample.plural or (f"{kind[:-1]}ies" if kind.endswith("y") else kind + ending)
    root = f"/{'apis' if '/' in version else 'api'}/{version}"
    return f"{root}/namespaces/{namespace}/{plural}" if sample.namespaced else f"{root}/{plural}"


@asynccontextmanager
async def created(api: Api, path: str, sample: Sample) -> AsyncIterator[None]:
    """The valid manifest exists for the length of the block."""
    (await api.create(path, sample.valid)).ok()
    try:
        yield
    finally:
        name = sample.valid["metadata"]["name"]
        await api.patch(f"{path}/{name}", {"metadata": {"finalizers": None}})  # nobody is there to do so
        await api.delete(f"{path}/{name}", gracePeriodSeconds=0, propagationPolicy="Background")


def answer(reply: Reply) -> Object:
    """What is compared of a refusal: code, reason, message and causes, each cause once, without any uid.

    The real server checks some fields twice on an update and lists what it finds twice. It shows whole pods,
    and what changed in one, in the form of its own Go types; that much of a message is left out.
    """
    found = orjson.loads(_UID.sub("UID", orjson.dumps(reply.body).decode()))
    causes = [
        [cause.get("field", ""), _shortened(cause.get("message", ""))]
        for cause in (found.get("details") or {}).get("causes", ())
    ]
    unique = [cause for index, cause in enumerate(causes) if cause not in causes[:index]]
    return {
        "code": reply.status,
        "reason": found.get("reason", ""),
        "message": _shortened(found.get("message", "")),
        "causes": unique,
    }


def _shortened(message: str) -> str:
    return _DIFFERENCE.sub(r"\1…", _POD.sub("{…}", message))


async def ask_create(api: Api, path: str, sample: Sample, edit: Edit) -> Reply:
    """The answer to the creation of the edited manifest; nothing is kept."""
    return await api.create(path, edited(sample.valid, edit), dryRun="All")


async def ask_update(api: Api, path: str, sample: Sample, edit: Edit, subresource: str = "") -> Reply:
    """The answer to an update of the valid manifest, which must exist, to the edited one; nothing is kept."""
    name = sample.valid["metadata"]["name"]
    current = (await api.get(f"{path}/{name}")).ok()
    return await api.update(f"{path}/{name}{subresource}", edited(current, edit), dryRun="All")


def recorded(table: str) -> Object:
    """The answers of the real server to a table's edits: kind → `refused`, `frozen`, `status` → name → answer."""
    return dict(orjson.loads(Path(__file__).with_name(f"{table}.json").read_bytes()))


def samples(tables: Sequence[str]) -> dict[str, Sample]:
    """Every sample of some tables by its title."""
    return {sample.title: sample for table in tables for sample in import_module(table).SAMPLES}


@dataclass(frozen=True)
class Refusal:
    """An edit of a valid manifest, and what the real server answers to it."""

    sample: Sample
    edit: Edit
    answer: Object


def refusals(tables: Sequence[str], sort: str) -> dict[str, Refusal]:
    """Every edit of one sort (`refused`, `frozen` or `status`) in some tables, by kind and name."""
    return {
        f"{sample.title}: {name}": Refusal(sample, edit, answers[sample.title][sort][name])
        for table in tables
        for answers in [recorded(table)]
        for sample in import_module(table).SAMPLES
        for name, edit in getattr(sample, sort).items()
    }


def permissions(tables: Sequence[str], sort: str) -> dict[str, tuple[Sample, Edit]]:
    """Every edit of one sort (`accepted` or `changed`) in some tables, by kind and name."""
    return {
        f"{sample.title}: {name}": (sample, edit)
        for table in tables
        for sample in import_module(table).SAMPLES
        for name, edit in getattr(sample, sort).items()
    }
