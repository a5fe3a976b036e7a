from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.testing.conversion.objects import objects_of, require_hypothesis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypothesis.strategies import SearchStrategy

    from windlass.api import Json, Resource
    from windlass.webhook import Conversion


def check_conversion(
    conversion: Conversion[Any],
    *,
    examples: int = 100,
    objects: Mapping[type[Resource], SearchStrategy[Json]] | None = None,
) -> None:
    """Prove a conversion on objects of all its versions, made by chance: `examples` of each.

    - The functions alone lose nothing but what a spoke says that it `lacks`, or has as the `only` one.
    - From any version to any other and back, with what is kept, an object is what it was, metadata included.
    - What comes out is valid by the schema of its version, and differs in no metadata but labels and
      annotations.
    - The same object converted twice gives the same.

    Objects come from `objects_of`, unless `objects` says where those of a type come from.

    Raises:
        AssertionError: a claim does not hold; the message shows the smallest object and the fields.
        ValueError: a path of `lacks` or `only` is not in the type, or too few valid objects came up.
        ToolError: hypothesis is not installed.
    """
    require_hypothesis()
    from windlass.testing.conversion.claim import Claims

    claims = Claims(conversion)
    claims.check_paths()
    said = objects or {}
    given = {kind: said[kind] if kind in said else objects_of(kind) for kind in conversion.versions.values()}
    for each in given.values():
        _prove(each, claims.hold, examples)


def _prove(objects: SearchStrategy[Json], claim: Callable[[Json], None], examples: int) -> None:
    """Judge objects until one fails, and then find the smallest that does."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis.errors import FailedHealthCheck, Unsatisfiable

    def proven(obj: Json) -> None:
        claim(obj)

    phases = (Phase.generate, Phase.shrink)
    slow = (HealthCheck.too_slow, HealthCheck.data_too_large)
    wanted = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=phases,
        suppress_health_check=slow,
        report_multiple_bugs=False,
    )
    try:
        wanted(given(objects)(proven))()
    except (FailedHealthCheck, Unsatisfiable) as error:
        raise ValueError(
            "too few of the objects that come up by chance are valid, for the validators of the type or its "
            "rules; say with objects={…} where valid ones come from"
        ) from error
