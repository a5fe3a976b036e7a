"""Webhooks that refuse to store what cannot be converted, in the words of the conversion's author."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.api import UNCONVERTED, Unconverted, Untyped
from windlass.schema import Fault
from windlass.webhook.conversion.placeholder import content_of_none, original, same_content
from windlass.webhook.conversion.refusal import Refusal
from windlass.webhook.declare import HookOptions, Webhook
from windlass.webhook.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json, Resource
    from windlass.webhook.conversion.declare import Conversion
    from windlass.webhook.request import AdmissionRequest

_HAS_NOTE: Final = f"has(object.metadata.annotations) && '{UNCONVERTED}' in object.metadata.annotations"
_INVALID: Final = 422
_FAILED: Final = 500


def guards(conversion: Conversion[Any]) -> tuple[Webhook[Any], ...]:
    """One webhook for each version. The hub's is asked about objects with the annotation only.

    They are asked about objects of every namespace: the conversion is, too.
    """
    hub = {"is-unconverted": _HAS_NOTE}
    return tuple(
        _guard(conversion, kind, hub if kind is conversion.hub else {})
        for kind in conversion.versions.values()
    )


def _guard(
    conversion: Conversion[Any], kind: type[Resource], conditions: Mapping[str, str]
) -> Webhook[Untyped]:
    known, judge = kind.__kind__, _Guard(conversion, kind)
    return Webhook(
        judge=judge,
        of=Untyped.of(known),
        mutates=False,
        name=f"convert-{known.version}.{known.plural}.{known.group}",
        path=f"{conversion.path}/{known.version}",
        verbs=("create", "update"),
        options=HookOptions(match="Exact", everywhere=True, conditions=conditions),
        sees_unconverted=True,
    )


class _Guard:
    """Judges writes at one version."""

    def __init__(self, conversion: Conversion[Any], kind: type[Resource]) -> None:
        self._conversion = conversion
        self._kind = kind

    def __call__(self, request: AdmissionRequest[Untyped]) -> Verdict[Untyped]:
        """Refuse what cannot be converted to the hub, unless nothing but metadata or status changes.

        A placeholder may be written back as it is.
        """
        obj = request.object.to_wire()
        old = request.old.to_wire() if request.old is not None else None
        note = _note(obj)
        if note is None:
            return self._judge_content(request.object, obj, old)
        if old is None or _text(old) != _text(obj):
            return self._judge_note(request.object, obj, note)
        if (obj.get("metadata") or {}).get("deletionTimestamp") or same_content(self._kind, old, obj):
            return Verdict.allow()
        return self._judge_placeholder(request.object, note)

    def _judge_content(self, given: Untyped, obj: Json, old: Json | None) -> Verdict[Untyped]:
        hub = self._conversion.hub.__kind__.api_version
        if obj["apiVersion"] == hub:
            return Verdict.allow()
        refusal = self._conversion.attempt(obj, hub)
        if not isinstance(refusal, Refusal) or self._was_refused(obj, old, hub):
            return Verdict.allow()
        message = f"{_subject(given)} is invalid: it cannot be converted to {hub}: {refusal.message}"
        code, reason = (_FAILED, "InternalError") if refusal.is_fault else (_INVALID, "Invalid")
        return replace(Verdict.deny(message, code=code, reason=reason), causes=refusal.causes)

    def _was_refused(self, obj: Json, old: Json | None, hub: str) -> bool:
        """Whether an update leaves an object as it is that could not be converted before."""
        if old is None or not same_content(self._kind, old, obj):
            return False
        return _note(old) is None and isinstance(self._conversion.attempt(old, hub), Refusal)

    def _judge_placeholder(self, given: Untyped, note: Unconverted) -> Verdict[Untyped]:
        here, group = self._kind.__kind__, self._kind.__kind__.group
        there = f"{here.plural}.{note.api_version.rpartition('/')[2]}.{group}"
        detail = (
            f"it was written in {note.api_version}, cannot be converted to {here.api_version} "
            f"({note.reason}), and is not shown here; repair it as {there}, or replace it as a whole, "
            f"without the annotation {UNCONVERTED}"
        )
        return Verdict.invalid(given, [Fault.forbidden("spec", detail)])

    def _judge_note(self, given: Untyped, obj: Json, note: Unconverted) -> Verdict[Untyped]:
        """Refuse an annotation that is not ours: what is in it has not been judged by anyone."""
        own = self._conversion.versions.get(note.api_version)
        genuine = (
            own is not None
            and own is not self._kind
            and same_content(self._kind, obj, content_of_none(self._kind))
            and isinstance(
                self._conversion.attempt(
                    original((self._kind, own), obj, note), self._kind.__kind__.api_version
                ),
                Refusal,
            )
        )
        if genuine:
            return Verdict.allow()
        path = f"metadata.annotations[{UNCONVERTED}]"
        detail = f"it is for an object that cannot be converted to {self._kind.__kind__.api_version}"
        return Verdict.invalid(given, [Fault.forbidden(path, detail)])


def _text(obj: Json) -> str:
    return str(((obj.get("metadata") or {}).get("annotations") or {}).get(UNCONVERTED, ""))


def _note(obj: Json) -> Unconverted | None:
    return Unconverted.of((obj.get("metadata") or {}).get("annotations"))


def _subject(given: Untyped) -> str:
    kind = ".".join(filter(None, (given.__kind__.name, given.__kind__.group)))
    return f'{kind} "{given.metadata.name or given.metadata.generate_name}"'
