from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from windlass.apiserver.crd.check.shared import schemas_of, with_shared
from windlass.apiserver.crd.condition import is_true
from windlass.apiserver.outside import bundle_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

Object = dict[str, Any]

REVIEWS: Final = ("v1", "v1beta1")
"""The versions of conversion reviews that the server speaks."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a definition was before: a change need not mend it, nor is judged again what stays as it was.

    `established`: its kind is served, so that its names are fixed.
    `any_reviews`: its webhook speaks no version of reviews that the server knows.
    `any_bundle`: its webhook has no good certificates, or is not in use yet.
    `judged`: its schemas, each with whether there is a status beside it.
    """

    established: bool = False
    any_reviews: bool = False
    any_bundle: bool = True
    judged: Sequence[tuple[Object, bool]] = ()

    @classmethod
    def of(cls, old: Object) -> Self:
        """The past of a definition that was stored."""
        established = is_true(old, "Established")
        webhook = (old["spec"].get("conversion") or {}).get("webhook") or {}
        reviews = webhook.get("conversionReviewVersions") or ()
        bundle = (webhook.get("clientConfig") or {}).get("caBundle")
        return cls(
            established=established,
            any_reviews=bool(reviews) and not any(each in REVIEWS for each in reviews),
            any_bundle=not established or bool(bundle and bundle_problem(bundle)),
            judged=[(schema, status) for schema, _, status in schemas_of(with_shared(old["spec"]))],
        )

    def knows(self, schema: Object, *, status: bool) -> bool:
        """Whether a schema was judged before, as strictly as now; a status beside it makes that stricter."""
        return any((strict or not status) and before == schema for before, strict in self.judged)


NOTHING_BEFORE: Final = Past()
