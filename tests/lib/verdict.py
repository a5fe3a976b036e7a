"""What the rules of the built-in kinds say about a manifest, without a server around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from broken import answer
from contract import Reply
from windlass.apiserver import builtin
from windlass.apiserver.decode import builtin_types, complete, decode
from windlass.apiserver.defaulting import fill, rewrite
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation import validate

if TYPE_CHECKING:
    from contract import Object
    from windlass.apiserver.builtin import BuiltinKind

UID = "00000000-0000-0000-0000-000000000000"


def builtin_kind(body: Object) -> BuiltinKind:
    """The built-in kind of a manifest."""
    (found,) = [
        each
        for each in builtin.kinds()
        if (each.kind.api_version, each.kind.name) == (body["apiVersion"], body["kind"])
    ]
    return found


def accepted(body: Object, *, new: bool = True) -> Object:
    """A manifest as its rules get to see it: decoded and defaulted, with what the server itself sets."""
    kind = builtin_kind(body).kind
    obj = decode(orjson.dumps(body), "application/json", kind, builtin_types(), "Ignore").object
    obj.setdefault("metadata", {}).setdefault("namespace", "default")
    fill(f"{kind.api_version}/{kind.name}", obj)
    rewrite(f"{kind.api_version}/{kind.name}", obj)
    complete(obj, kind, builtin_types())
    if new:
        obj["metadata"] |= {"uid": UID, "generation": 1}
        if kind.name == "Job" and not obj["spec"].get("manualSelector"):
            _select_by_uid(obj)
    return obj


def stored(body: Object) -> Object:
    """The same as it is once it has been created."""
    obj = accepted(body)
    obj["metadata"]["resourceVersion"] = "1"
    return obj


def judge(obj: Object, old: Object | None = None, subresource: str = "") -> Object | None:
    """What the server would answer, as `broken.answer` has it; None where there is nothing to complain about."""
    group, _, _ = obj["apiVersion"].rpartition("/")
    faults = list(validate(f"{group}/{obj['kind']}", obj, old, subresource))
    if not faults:
        return None
    refusal = Refusal.invalid(group, obj["kind"], obj["metadata"].get("name", ""), faults)
    return answer(Reply(refusal.code, refusal.status))


def _select_by_uid(job: dict[str, Any]) -> None:
    """The labels and the selector that the server gives to a job that has not chosen its own."""
    name, spec = job["metadata"].get("name", ""), job["spec"]
    labels = spec.setdefault("template", {}).setdefault("metadata", {}).setdefault("labels", {})
    for prefix in ("", "batch.kubernetes.io/"):
        labels.setdefault(f"{prefix}job-name", name)
        labels.setdefault(f"{prefix}controller-uid", UID)
    selector = spec.setdefault("selector", {}).setdefault("matchLabels", {})
    selector.setdefault("batch.kubernetes.io/controller-uid", UID)
