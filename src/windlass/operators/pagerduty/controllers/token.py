from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.api import Key
from windlass.kinds.core.v1 import Secret
from windlass.operators.pagerduty.api import Caller, PagerDuty

if TYPE_CHECKING:
    from windlass.operators.pagerduty.controllers.subject import Subject
    from windlass.operators.pagerduty.options import PagerDutyOptions
    from windlass.reconcile import Context, Result


async def resolve_token(subject: Subject[Any], ctx: Context) -> Result[Any] | None:
    """Find the token of the object, or that of the operator, and be ready to ask PagerDuty."""
    place = _place(subject)
    if place is None:
        token = subject.desk.options.token
        missing = "there is no token: set spec.token_secret_ref, or give one to the operator"
    else:
        key, value = place
        secret = await ctx.get(Secret, key.name, key.namespace)
        token = (secret.data or {}).get(value, b"").decode("utf-8", "replace").strip() if secret else ""
        missing = f"Secret {key} has no value {value}" if secret else f"there is no Secret {key}"
    if not token:
        return subject.unsynced("TokenMissing", missing)
    caller = Caller(token=token, share=subject.desk.shares.of(token), namespace=ctx.key.namespace)
    subject.api = PagerDuty(subject.desk.road, caller, ctx.effect)
    return None


def token_secret(resource: Any, options: PagerDutyOptions) -> Key | None:
    """The Secret that an object's token lies in, if it lies in one."""
    ref = resource.spec.token_ref
    if ref is not None:
        return Key(resource.metadata.namespace, ref.name)
    own = options.token_secret
    return Key(own.namespace, own.name) if own else None


def _place(subject: Subject[Any]) -> tuple[Key, str] | None:
    """The Secret, and which of its values."""
    key = token_secret(subject.resource, subject.desk.options)
    if key is None:
        return None
    ref, own = subject.resource.spec.token_ref, subject.desk.options.token_secret
    return key, ref.key if ref is not None else own.key if own is not None else ""
