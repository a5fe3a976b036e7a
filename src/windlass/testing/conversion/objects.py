from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.errors import ToolError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from windlass.api import Json, Resource


def objects_of(kind: type[Resource]) -> SearchStrategy[Json]:
    """Valid objects of a kind by chance, as an API server sends them: defaults are filled in.

    Made of the schema of the type. What the schema cannot say (rules in CEL, validators of the Python type)
    sorts out those that break it.

    Raises:
        ToolError: hypothesis is not installed.
        SchemaError: the type has no structural schema.
    """
    require_hypothesis()
    from hypothesis import strategies as st

    from windlass.schema import structural
    from windlass.testing.conversion.rule import accepts, filled
    from windlass.testing.conversion.value import fields, some_of

    known, schema = kind.__kind__, structural(kind)
    metadata = {"name": st.sampled_from(("a", "b")), "uid": st.uuids().map(str)}
    if known.namespaced:
        metadata["namespace"] = st.just("default")
    texts = st.dictionaries(st.sampled_from(("a", "b.example.com/c")), st.text("xyz", max_size=3), min_size=1)
    head: dict[str, SearchStrategy[Any]] = {
        "apiVersion": st.just(known.api_version),
        "kind": st.just(known.name),
        "metadata": st.fixed_dictionaries(metadata, optional={"labels": texts, "annotations": texts}),
    }
    body = {name: each for name, each in fields(schema, kind).items() if name not in head}
    made = some_of(head | body, {*head, *schema.get("required", ())})
    return made.map(lambda obj: filled(kind, obj)).filter(lambda obj: accepts(kind, obj))


def require_hypothesis() -> None:
    """Make sure that hypothesis is there.

    Raises:
        ToolError: it is not.
    """
    try:
        import hypothesis as hypothesis  # noqa: PLC0414 - it is only looked for
    except ImportError as error:
        message = "conversions are checked with hypothesis, which is missing: pip install 'windlass[test]'"
        raise ToolError(message) from error
