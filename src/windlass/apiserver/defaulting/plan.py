from __future__ import annotations

from copy import copy, deepcopy
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.schema import Library, Shape

    Rule = Callable[[dict[str, Any]], None]
    """Sets in a structure what depends on other fields of it, before its other defaults are set."""

_EMPTY: Final[Mapping[str, Any]] = {}


class Plan:
    """What is to be done to a structure: only what has defaults, in itself or below, is visited.

    `rules` come first: they still see what was given. `plain` are fields of which a zero value counts as
    absent, `given` those that may be set to zero, `made` empty structures, `copied` lists. Then come the
    structures below: `parts` one each, `lists` many.
    """

    __slots__ = ("copied", "given", "lists", "made", "parts", "plain", "rules")

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self.plain: list[tuple[str, Any]] = []
        self.given: list[tuple[str, Any]] = []
        self.made: list[str] = []
        self.copied: list[tuple[str, Any]] = []
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
        for field in self.made:
            if field not in obj:
                obj[field] = {}
        for field, value in self.copied:
            if not obj.get(field):
                obj[field] = deepcopy(value)
        for field, plan in self.parts:
            part = obj.get(field)
            if part is not None:
                plan.apply(part)
        for field, plan in self.lists:
            for item in obj.get(field) or ():
                plan.apply(item)


class Planner:
    """Makes the plans of definitions, each when it is first asked for.

    `table`: by definition, its fields with their defaults; a dotted name, `spec.replicas`, is the default that
    a field of the structure in `spec` has in this place alone.
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
        """The plan of a definition, with rules for where it is the whole object; `None` if nothing is to do."""
        shape = self._library.shape(definition)
        plan = self._of(shape) if self._bears(shape) else None
        if plan is None or not rules:
            return plan
        whole = copy(plan)
        whole.rules = (*plan.rules, *rules)
        return whole

    def _bears(self, shape: Shape) -> bool:
        """Whether there is a default in a structure or below it; what contains itself does not count twice."""
        name = shape.name
        if name not in self._bearing:
            self._bearing[name] = False  # for a structure that contains itself; none such has a default
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
                self._enter(plan, field, child, self._of(inner, below))
        return plan

    def _enter(self, plan: Plan, field: str, child: Shape, below: Plan) -> None:
        if child.items is not None:
            plan.lists.append((field, below))
            return
        plan.parts.append((field, below))
        if child.default == {} and field not in plan.made:  # a plain struct of Go is always there
            plan.made.append(field)


def _structure(shape: Shape) -> Shape | None:
    """What a field holds, or each item of its list, if that is a structure."""
    inner = shape.items or shape
    return inner if inner.name and "properties" in inner.schema else None


def _set(plan: Plan, shape: Shape, field: str, value: Any) -> None:
    if value == {} and isinstance(value, dict):
        plan.made.append(field)
    elif isinstance(value, list):
        plan.copied.append((field, value))
    elif value is None or shape.schema.get("x-go", "*").startswith("*"):
        plan.given.append((field, value))
    else:
        plan.plain.append((field, value))
