from __future__ import annotations

from copy import copy, deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.schema import Library, Shape

    Rule = Callable[[dict[str, Any]], None]
    """Sets in a structure what depends on other fields of it, before its other defaults are set."""

_EMPTY: Final[Mapping[str, Any]] = {}


class Plan:
    """What is to be done to a structure: only what has defaults, in itself or below, is visited.

    `rules` come first: they still see what was given. `plain` are fields whose zero value counts as absent,
    `given` those that may be set to zero, `fresh` those that get a structure or a list of their own. Then the
    structures below have their turn: `parts` are one each, `lists` many.
    """

    __slots__ = ("fresh", "given", "lists", "parts", "plain", "rules")

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self.plain: list[tuple[str, Any]] = []
        self.given: list[tuple[str, Any]] = []
        self.fresh: list[tuple[str, Callable[[], Any]]] = []
        self.parts: list[tuple[str, Plan]] = []
        self.lists: list[tuple[str, Plan]] = []

    def apply(self, obj: dict[str, Any]) -> None:
        """Set the defaults of a structure and of those below it, in place."""
        for rule in self.rules:
            rule(obj)
        for field, value in self.plain:
            if not obj.get(field):
                obj[field] = value
        for field, value in self.given:
            if field not in obj:
                obj[field] = value
        for field, make in self.fresh:
            value = obj.get(field)
            if not value and value != []:  # an empty list is dropped in reading unless it counts
                obj[field] = make()
        self._apply_below(obj)

    def _apply_below(self, obj: dict[str, Any]) -> None:
        for field, plan in self.parts:
            part = obj.get(field)
            if part is not None:
                plan.apply(part)
        for field, plan in self.lists:
            for item in obj.get(field) or ():
                plan.apply(item)


class Planner:
    """Makes the plans of definitions, each when it is first asked for.

    `table`: by definition, its fields with their defaults; a dotted name, `spec.suspend`, is a default that
    the structure in `spec` has in this place alone.
    `rules`: by definition, what else is done to it.
    """

    def __init__(
        self, library: Library, table: Mapping[str, Mapping[str, Any]], rules: Mapping[str, tuple[Rule, ...]]
    ) -> None:
        self._library = library
        self._table = table
        self._rules = rules
        self._plans: dict[str, Plan] = {}
        self._bearing: dict[str, bool] = {}

    def plan(self, definition: str, rules: tuple[Rule, ...] = ()) -> Plan | None:
        """The plan of a definition, `None` if there is nothing to do; `rules` come after those it has."""
        shape = self._library.shape(definition)
        plan = self._of(shape) if self._bears(shape) else None
        if not rules:
            return plan
        whole = Plan(()) if plan is None else copy(plan)
        whole.rules = (*whole.rules, *rules)
        return whole

    def _bears(self, shape: Shape) -> bool:
        """Whether there is a default in a structure or below it."""
        name = shape.name
        if name not in self._bearing:
            self._bearing[name] = False  # ends the search in a structure that contains itself
            self._bearing[name] = (
                name in self._table
                or name in self._rules
                or any(self._bears(inner) for inner in map(_structure, shape.properties.values()) if inner)
            )
        return self._bearing[name]

    def _of(self, shape: Shape, more: Mapping[str, Any] = _EMPTY) -> Plan:
        """The plan of a structure, with `more` defaults where it has those of its place."""
        found = None if more else self._plans.get(shape.name)
        if found is not None:
            return found
        plan = Plan(self._rules.get(shape.name, ()))
        if not more:
            self._plans[shape.name] = plan
        row = {**self._table.get(shape.name, _EMPTY), **more}
        for field, value in row.items():
            if "." not in field:
                _set(plan, shape.properties[field], field, value)
        for field, child in shape.properties.items():
            inner = _structure(child)
            if inner is not None and self._bears(inner):
                prefix = f"{field}."
                below = {
                    name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)
                }
                _enter(plan, child, field, self._of(inner, below))
        return plan


def _structure(shape: Shape) -> Shape | None:
    """What a field holds, or each item of its list, if that is a structure."""
    inner = shape.items or shape
    return inner if inner.name and "properties" in inner.schema else None


def _set(plan: Plan, shape: Shape, field: str, value: Any) -> None:
    if isinstance(value, (dict, list)):
        plan.fresh.append((field, partial(deepcopy, value) if value else type(value)))
    elif shape.schema["x-go"].startswith("*"):
        plan.given.append((field, value))
    else:
        plan.plain.append((field, value))


def _enter(plan: Plan, shape: Shape, field: str, below: Plan) -> None:
    if shape.items is not None:
        plan.lists.append((field, below))
        return
    plan.parts.append((field, below))
    if shape.default == {}:  # a plain struct of Go, which is always there
        plan.fresh.append((field, dict))
