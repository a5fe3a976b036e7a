"""Strategic merge patch: objects. Lists are in `strategic_list`, which calls back for the objects in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.go_json import duplicates
from windlass.apiserver.patch.body import read_mapping
from windlass.apiserver.patch.outcome import Patched, failed, panicked
from windlass.apiserver.patch.strategic_list import (
    DIRECTIVE,
    bad_type,
    check_order,
    in_order,
    item_type,
    merge_lists,
    server_order,
    unknown_directive,
    without,
)
from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted

if TYPE_CHECKING:
    from windlass.schema import Shape

_DELETE_PREFIX: Final = "$deleteFromPrimitiveList"
_ORDER_PREFIX: Final = "$setElementOrder"
_RETAIN: Final = "$retainKeys"
_DROPPED: Final = object()


def strategic_patched(
    document: dict[str, Any], body: bytes, shape: Shape, *, checked: bool = True
) -> Patched:
    """Merge a strategic merge patch into an object of a built-in kind.

    The shape's merge keys and patch strategies say how lists merge; directives in the patch (`$patch`,
    `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) say otherwise. `checked` is false where
    field validation is off.

    Raises:
        Refusal: 400, the body is no object or a directive has not its form; 422, a list of lists is to be
            merged; 500, the patch contradicts itself, the object or the schema.
    """
    patch = read_mapping(body, exactly=False) or {}
    problems = duplicates(body, patch) if checked else ()
    return Patched(_merge(document, patch, shape), problems, patch)


def _merge(original: dict[str, Any], patch: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """Merge a patch; directives and nulls that were obeyed are taken out of it, as refusals show it."""
    if DIRECTIVE in patch:
        return _directed(patch)
    merged = dict(original)
    if _RETAIN in patch:
        _retain(merged, patch, patch.pop(_RETAIN))
    for key in [*patch]:
        if key.startswith(_ORDER_PREFIX):
            _set_order(merged, patch, key, shape)
    for key in [*patch]:
        if key.startswith(_DELETE_PREFIX):
            _delete_from(merged, _field_name(key, "primitive list"), patch[key], shape)
        else:
            _merge_field(merged, key, patch, shape)
    return merged


def _merge_field(merged: dict[str, Any], key: str, patch: dict[str, Any], shape: Shape) -> None:
    """Merge one field of a patch into an object that may be changed."""
    current, value = merged.get(key), patch[key]
    if value is None:
        merged.pop(key, None)
    elif isinstance(value, dict) and isinstance(current, dict):
        field = _field(shape, key)
        merged[key] = value if "replace" in field.patch_strategies else _merge(current, value, field)
    elif isinstance(value, list) and isinstance(current, list):
        field = _list_field(shape, key)
        merging = "merge" in field.patch_strategies
        merged[key] = merge_lists(current, value, field, _merge) if merging else value
    else:
        plain = _plain(value)
        if plain is _DROPPED:
            merged.pop(key, None)
        else:
            merged[key] = patch[key] = plain


def _directed(patch: dict[str, Any]) -> dict[str, Any]:
    """What an object becomes that a patch does not merge."""
    if patch[DIRECTIVE] == "replace":
        del patch[DIRECTIVE]
        return dict(patch)
    if patch[DIRECTIVE] == "delete":
        return {}
    raise unknown_directive(patch)


def _retain(merged: dict[str, Any], rest: dict[str, Any], kept: Any) -> None:
    """Drop every field that is not among those to be kept; a patch may set no others."""
    named = kept if isinstance(kept, list) else None
    if named is None or any(
        value is not None and not key.startswith((_DELETE_PREFIX, _ORDER_PREFIX)) and key not in named
        for key, value in rest.items()
    ):
        raise Refusal.bad_request("invalid patch format of retainKeys")
    for key in [key for key in merged if key not in named]:
        del merged[key]


def _set_order(merged: dict[str, Any], rest: dict[str, Any], directive: str, shape: Shape) -> None:
    """Merge a list and put its items in the order that a directive gives; both are then done with."""
    order = rest.pop(directive)
    if not isinstance(order, list):
        raise bad_type([], order)
    key = _field_name(directive, "setElementOrder list")
    original, patch = merged.get(key, []), rest.get(key, [])
    for items in (original, patch):
        if not isinstance(items, list):
            raise bad_type([], items)
    field = _list_field(shape, key)
    check_order(patch, order, field.merge_key)
    if key not in merged and key not in rest:
        return
    result = original
    if key not in merged:
        result = _plain(patch, nulls=True)
    elif key in rest:
        result = merge_lists(original, patch, field, _merge) if "merge" in field.patch_strategies else patch
    if item_type(original, patch) is dict and not field.merge_key:
        raise panicked()
    server = server_order(original, patch, field.merge_key) if key in merged else []
    merged[key] = in_order(result, order, server, field.merge_key)
    rest.pop(key, None)


def _delete_from(merged: dict[str, Any], key: str, gone: Any, shape: Shape) -> None:
    """Take values out of a list of scalars; what is no list is merged, if both are of one type."""
    current = merged.get(key)
    if gone is None:
        merged.pop(key, None)
    elif type(current) is type(gone) and not isinstance(gone, list):
        _merge_field(merged, key, {key: gone}, shape)
    elif isinstance(current, list) and isinstance(gone, list):
        field = _list_field(shape, key)
        if (current or gone) and item_type(current, gone) is not dict:
            merged[key] = without(current, gone)
        else:
            merged[key] = merge_lists(current, gone, field, _merge)


def _field_name(directive: str, what: str) -> str:
    prefix, slash, name = directive.partition("/")
    if not slash or prefix not in (_DELETE_PREFIX, _ORDER_PREFIX):
        raise Refusal.bad_request(f"invalid patch format of {what}")
    return name


def _field(shape: Shape, key: str) -> Shape:
    found = shape.properties.get(key)
    if found is not None:
        return found
    if shape.additional is not None:
        raise failed("merging an object in json but data type is not struct, instead is: map")
    struct = shape.schema.get("x-go-struct") or shape.name.rpartition(".")[2]
    raise failed(f"unable to find api field in struct {struct} for the json field {quoted(key)}")


def _list_field(shape: Shape, key: str) -> Shape:
    field = _field(shape, key)
    if field.items is None and not field.schema.get("x-go", "").startswith("*"):
        pointed = shape.schema.get("x-go", "").startswith("*")
        raise failed(f"expected slice or array type, but got: {'ptr' if pointed else 'struct'}")
    return field


def _plain(value: Any, *, nulls: bool = False) -> Any:
    """A value of a patch that merges with nothing: without objects that have directives, or null members."""
    if isinstance(value, dict):
        if value.get(DIRECTIVE) is not None:
            return _DROPPED
        kept = ((key, member) for key, member in value.items() if nulls or member is not None)
        members = ((key, _plain(member, nulls=nulls)) for key, member in kept)
        return {key: member for key, member in members if member is not _DROPPED}
    if isinstance(value, list):
        items = (_plain(item, nulls=nulls) for item in value)
        return [item for item in items if item is not _DROPPED]
    return value
