from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from windlass.api import Resource, Untyped
from windlass.webhook.declare import Webhook, mutating, validating
from windlass.webhook.typed.default import completed
from windlass.webhook.typed.fault import findings, new_findings
from windlass.webhook.verdict import Verdict

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.webhook.declare import HookOptions
    from windlass.webhook.request import AdmissionRequest

R = TypeVar("R", bound=Resource)


def defaulting(
    of: type[R], *, name: str = "", path: str = "", options: HookOptions | None = None
) -> Webhook[R]:
    """A webhook that completes objects as their Python type does, where the schema cannot.

    It fills in what a default factory makes anew each time or from other fields, and writes what validators
    assign or normalise. What an update leaves out of the former stays as it was. It never writes a default
    that the schema states or that is empty, and it leaves alone a value that is only spelt in another way,
    what the type does not know, the status, and an object that the type refuses.

    Raises:
        ValueError: as `mutating` does.
    """

    def judge(request: AdmissionRequest[R]) -> Verdict[R]:
        given = request.object.to_wire()
        try:
            typed = of.model_validate(_body(given), by_alias=True, by_name=False)
        except ValidationError:
            return Verdict.allow()  # to refuse it is the task of another
        old = request.old.to_wire() if request.old is not None else {}
        made = completed(typed, given, old)
        changed: Any = type(request.object).from_wire(made)
        return Verdict.change(changed)

    return _raw(mutating(of, name=name, path=path, options=options)(judge))


def validation(
    of: type[R], *, name: str = "", path: str = "", options: HookOptions | None = None
) -> Webhook[R]:
    """A webhook that refuses what the Python type of a kind refuses, all of it at once.

    Each fault has the field's path on the wire and the API server's words. As with the rules of a schema, an
    update need not mend what it does not change: else a stricter type would hold up whoever wants to remove
    a finalizer.

    Raises:
        ValueError: as `validating` does.
    """

    def judge(request: AdmissionRequest[R]) -> Verdict[R]:
        given = request.object.to_wire()
        found = findings(of, _body(given))
        if found and request.old is not None:
            found = new_findings(found, findings(of, _body(request.old.to_wire())))
        if not found:
            return Verdict.allow()
        return Verdict.invalid(request.object, [each.fault for each in found])

    return _raw(validating(of, name=name, path=path, options=options)(judge))


def _raw(webhook: Webhook[R]) -> Webhook[R]:
    """Have objects read as they stand: what the type has against them is the question here."""
    return replace(webhook, read_as=Untyped.of(webhook.of.__kind__))


def _body(obj: Json) -> Json:
    return {name: value for name, value in obj.items() if name not in ("apiVersion", "kind")}
