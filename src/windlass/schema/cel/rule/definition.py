"""The rules of a definition: whether each can be compiled, and what all may cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.cel.rule import limit
from windlass.schema.cel.rule.compile import Compiler, RuleError
from windlass.schema.cel.structure import declare, escape
from windlass.schema.custom.check import rule_text
from windlass.schema.custom.rule import KEYWORD
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from windlass.schema.cel.rule.compile import Rule
    from windlass.schema.cel.structure import Declared

    Schema = Mapping[str, Any]

_WORTH_TELLING: Final = limit.DEFINITION // 100
_MOST_TOLD: Final = 4
_NO_TYPE: Final = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: "
    "unable to convert structural schema to CEL declarations"
)
_SHARE: Final = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
_TOTAL: Final = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"


@dataclass(frozen=True, slots=True)
class _Place:
    """A node: where it stands, how often it can be in an object, and where its old value was lost.

    `declared` is what expressions know of it, if that is known already.
    """

    path: str
    root: bool = True
    count: int | None = 1
    lost: str = ""
    declared: Declared | None = None

    def below(self, step: str, most: int | None, declared: Declared | None) -> _Place:
        count = None if self.count is None or most is None else limit.product(self.count, most)
        return _Place(self.path + step, root=False, count=count, lost=self.lost, declared=declared)


@dataclass(slots=True)
class _Costs:
    """The costs of all rules."""

    total: int = 0
    dear: list[tuple[int, str]] = field(default_factory=list)

    def add(self, cost: int, path: str) -> None:
        self.total = min(self.total + cost, limit.MOST)
        if cost >= _WORTH_TELLING:
            self.dear.append((cost, path))

    def faults(self, path: str) -> Iterator[Fault]:
        if self.total <= limit.DEFINITION:
            return
        dearest = sorted(self.dear, key=lambda each: -each[0])[:_MOST_TOLD]
        for _, place in dearest:
            yield Fault.forbidden(place, _SHARE)
        yield Fault.forbidden(path, limit.excess(_TOTAL, self.total, limit.DEFINITION))


class DefinitionCheck:
    """Judges the rules of one schema; nodes at or above a path in `broken` are left out."""

    def __init__(self, broken: Collection[str]) -> None:
        self._broken = broken
        self._costs = _Costs()

    def faults(self, schema: Schema, path: str) -> Iterator[Fault]:
        """What is wrong with the rules of a schema that is structural."""
        yield from self._node(schema, _Place(path))
        yield from self._costs.faults(path)

    def _node(self, schema: Schema, place: _Place) -> Iterator[Fault]:
        if place.declared is None and schema.get(KEYWORD):
            resource = place.root or bool(schema.get("x-kubernetes-embedded-resource"))
            place = replace(place, declared=declare(schema, root=resource))
        for below, child in _children(schema, place):
            yield from self._node(child, below)
        if schema.get(KEYWORD) and not any(_is_in(each, place.path) for each in self._broken):
            yield from self._rules(schema, place)

    def _rules(self, schema: Schema, place: _Place) -> Iterator[Fault]:
        declared = place.declared
        if declared is None:
            yield Fault("InternalError", f"{place.path}.{KEYWORD}", f"Internal error: {_NO_TYPE}")
            return
        compiler = Compiler(schema, declared)
        count = declared.cardinality if place.count is None else place.count
        for position, written in enumerate(schema[KEYWORD]):
            at = f"{place.path}.{KEYWORD}[{position}]"
            try:
                rule = compiler.compile(written)
            except RuleError as error:
                yield _refused(error, written, at)
                if written.get("optionalOldSelf") is not None:
                    yield _optional_for_nothing(written, at)
                continue
            yield from self._dear(rule, count, at)
            yield from _old_value(rule, place, at)

    def _dear(self, rule: Rule, count: int, at: str) -> Iterator[Fault]:
        cost = limit.product(rule.expression.cost, count)
        if cost > limit.RULE:
            yield Fault.forbidden(f"{at}.rule", limit.excess("estimated rule cost", cost, limit.RULE))
        self._costs.add(cost, f"{at}.rule")
        if rule.problem is not None:
            yield _refused(rule.problem, rule.written, at)
        if rule.message is None:
            return
        cost = rule.message.cost
        if cost > limit.RULE:
            what = "estimated messageExpression cost"
            yield Fault.forbidden(f"{at}.messageExpression", limit.excess(what, cost, limit.RULE))
        self._costs.add(cost, f"{at}.messageExpression")


def _children(schema: Schema, place: _Place) -> Iterator[tuple[_Place, Schema]]:
    most, declared = _most(schema), place.declared
    element = declared.element if declared else None
    fields = (declared.fields if declared else None) or {}
    values, items = schema.get("additionalProperties"), schema.get("items")
    if isinstance(values, dict):
        yield place.below(".additionalProperties", most, element), values
    for name, child in sorted((schema.get("properties") or {}).items()):
        yield place.below(f".properties[{name}]", most, fields.get(escape(name) or "")), child
    if isinstance(items, dict):
        below = place.below(".items", most, element)
        if schema.get("x-kubernetes-list-type") != "map":
            below = replace(below, lost=place.lost or place.path)
        yield below, items


def _old_value(rule: Rule, place: _Place, at: str) -> Iterator[Fault]:
    if rule.transitional and place.lost:
        detail = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {place.lost}"
        yield Fault.invalid(f"{at}.rule", rule.written["rule"], detail)
    elif not rule.transitional and rule.written.get("optionalOldSelf") is not None:
        yield _optional_for_nothing(rule.written, at)


def _optional_for_nothing(written: Schema, at: str) -> Fault:
    detail = "may not be set if oldSelf is not used in rule"
    return Fault.invalid(f"{at}.optionalOldSelf", written["optionalOldSelf"], detail)


def _refused(error: RuleError, written: Schema, at: str) -> Fault:
    message = f"Invalid value: {rule_text(written)}: {error}"
    return Fault("FieldValueInvalid", f"{at}.{error.field}", message)


def _most(schema: Schema) -> int | None:
    """How many times what is below a node can be in it; `None` if there is no limit."""
    match schema.get("type"):
        case "object" if schema.get("additionalProperties") is not None:
            most = schema.get("maxProperties")
        case "array":
            most = schema.get("maxItems")
        case _:
            return 1
    return None if most is None else max(most, 0)


def _is_in(path: str, ancestor: str) -> bool:
    return path.startswith(ancestor) and path[len(ancestor) : len(ancestor) + 1] in ("", ".", "[")
