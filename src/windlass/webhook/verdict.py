from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, Never, TypeVar

from windlass.api import Resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.schema import Fault

R = TypeVar("R", bound=Resource)
R_co = TypeVar("R_co", bound=Resource, covariant=True)

_FORBIDDEN: Final = 403
_INVALID: Final = 422


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict(Generic[R_co]):
    """What a webhook says to a request: it may pass, it may not, or it may with the object changed.

    Made by `allow`, `deny`, `invalid` and `change`. `warnings` are shown to whoever made the request, `audit`
    is noted in the audit trail, and `causes` tell field by field what is wrong with an object. One that
    changes nothing fits every `Verdict[…]`.
    """

    allowed: bool
    changed: R_co | None = None
    message: str = ""
    code: int = 0
    reason: str = ""
    warnings: tuple[str, ...] = ()
    audit: Mapping[str, str] = field(default_factory=dict)
    causes: tuple[Fault, ...] = ()

    @classmethod
    def allow(cls, *, warnings: Sequence[str] = (), audit: Mapping[str, str] | None = None) -> Verdict[Never]:
        """The request may pass as it is."""
        return Verdict(allowed=True, warnings=tuple(warnings), audit=audit or {})

    @classmethod
    def change(
        cls, changed: R, *, warnings: Sequence[str] = (), audit: Mapping[str, str] | None = None
    ) -> Verdict[R]:
        """The request may pass with the object changed to this one; the patch is worked out."""
        return Verdict(allowed=True, changed=changed, warnings=tuple(warnings), audit=audit or {})

    @classmethod
    def deny(
        cls, message: str, *, code: int = _FORBIDDEN, reason: str = "", warnings: Sequence[str] = ()
    ) -> Verdict[Never]:
        """The request is refused, with a message that says why and what to do."""
        return Verdict(allowed=False, message=message, code=code, reason=reason, warnings=tuple(warnings))

    @classmethod
    def invalid(cls, of: R, causes: Sequence[Fault], *, warnings: Sequence[str] = ()) -> Verdict[R]:
        """The object is refused as the API server refuses one that breaks its schema, with all that is wrong.

        Verdict.invalid(app, [Fault.invalid("spec.replicas", 7, "must be even")])
        """
        name = of.metadata.name or of.metadata.generate_name
        kind = ".".join(filter(None, (of.__kind__.name, of.__kind__.group)))
        told = [str(each) for each in causes]
        listed = told[0] if len(told) == 1 else f"[{', '.join(told)}]"
        return Verdict(
            allowed=False,
            message=f'{kind} "{name}" is invalid: {listed}',
            code=_INVALID,
            reason="Invalid",
            warnings=tuple(warnings),
            causes=tuple(causes),
        )
