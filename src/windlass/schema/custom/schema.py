from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from windlass.schema.custom.embedded import Embedded
from windlass.schema.custom.fill import Defaults
from windlass.schema.custom.judge import Judge, Link, Reading, judged
from windlass.schema.custom.prune import drop_nulls, prune
from windlass.schema.custom.unique import Uniqueness
from windlass.schema.fault import Fault
from windlass.schema.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.schema.custom.embedded import MetadataRules
    from windlass.schema.custom.rule import RuleEngine, Rules

Object = dict[str, Any]

_BLOCKING: Final = frozenset(
    {
        "FieldValueNotSupported",
        "FieldValueRequired",
        "FieldValueTooLong",
        "FieldValueTooMany",
        "FieldValueTypeInvalid",
    }
)
_BLOCKED: Final = Fault(
    "FieldValueInvalid",
    "<nil>",
    "Invalid value: null: some validation rules were not checked because the object was invalid; correct the "
    "existing errors to complete validation",
)


class CustomSchema:
    """The schema of one version of a custom kind: what its objects become, and what they must be.

    The schema must be structural; `check_schema` says whether it is. An object passes through `prune`, `fill`
    and `faults` in this order; the metadata of the object itself is not looked at. It is compiled as it is
    used: most definitions of a cluster are never looked at, and most fields of a large schema never set.
    """

    def __init__(
        self, schema: Mapping[str, Any], metadata: MetadataRules, rules: RuleEngine | None = None
    ) -> None:
        self.shape = Shape(schema)
        self._metadata = metadata
        self._judge = Judge(schema, Reading())
        self._engine = rules

    @cached_property
    def _rules(self) -> Rules | None:
        return None if self._engine is None else self._engine.compile(self.shape.schema)

    @cached_property
    def _defaults(self) -> Defaults:
        return Defaults(self.shape)

    @cached_property
    def _unique(self) -> Uniqueness:
        return Uniqueness(self.shape)

    @cached_property
    def _embedded(self) -> Embedded:
        return Embedded(self.shape, self._metadata)

    @cached_property
    def _status_judge(self) -> Judge | None:
        status = self.shape.properties.get("status")
        return None if status is None else Judge(status.schema, Reading())

    def prune(self, obj: Object) -> list[str]:
        """Drop, in place, unknown fields and misplaced nulls; tell the paths of the unknown fields.

        Raises:
            MalformedError: the type or the metadata of an embedded object cannot be read.
        """
        unknown = self.drop_unknown(obj)
        drop_nulls(obj, self.shape)
        return [*unknown, *self.read_embedded(obj)]

    def read_embedded(self, obj: Object) -> list[str]:
        """Bring the metadata of embedded objects, in place, into the server's form; tell what was unknown.

        Raises:
            MalformedError: they, or the type of one, cannot be read.
        """
        return self._embedded.read(obj)

    def drop_unknown(self, obj: Object) -> list[str]:
        """Drop unknown fields, in place, and nothing else; tell their paths."""
        return prune(obj, self.shape)

    def fill(self, obj: Object) -> None:
        """Fill in the defaults, in place."""
        self._defaults.fill(obj)

    def faults(
        self, obj: Object, old: Object | None = None, *, elsewhere: Sequence[Fault] = ()
    ) -> list[Fault]:
        """What is wrong with a new object, or with an update, which need not mend what it does not change.

        What is wrong `elsewhere`, in its metadata, can keep rules from being checked.
        """
        link = self._link(obj, old)
        found = _judged(self._judge, obj, link, "")
        return [*found, *self._later_faults(obj, old, link, [*elsewhere, *found])]

    def status_faults(self, obj: Object, old: Object) -> list[Fault]:
        """What is wrong with a write to the status of an object."""
        link = Link(obj, old, self.shape)
        found: list[Fault] = []
        if self._status_judge is not None and "status" in obj:
            found += _judged(self._status_judge, obj["status"], link.key("status"), "status")
        return [*found, *self._later_faults(obj, old, link, found, embedded=False)]

    def later_faults(self, obj: Object, old: Object | None, *, status: bool) -> list[Fault]:
        """What is wrong with an object of another type, whose values nobody looks at one by one."""
        return self._later_faults(obj, old, self._link(obj, old), (), embedded=not status)

    def excused(self, obj: Object, old: Object, faults: Sequence[Fault]) -> list[Fault]:
        """The rules that an update with such faults breaks as the object did before: a warning is enough."""
        if self._rules is None or _BLOCKED in faults:
            return []
        return [*self._rules.excused(obj, old, Link(obj, old, self.shape))]

    def _repetitions(self, obj: Object, old: Object | None) -> list[Fault]:
        found = self._unique.faults(obj)
        return [] if found and old is not None and self._unique.faults(old) else found

    def _link(self, obj: Object, old: Object | None) -> Link | None:
        return None if old is None else Link(obj, old, self.shape)

    def _later_faults(
        self,
        obj: Object,
        old: Object | None,
        link: Link | None,
        found: Sequence[Fault],
        *,
        embedded: bool = True,
    ) -> list[Fault]:
        """What is wrong with embedded objects, by repetition and, unless too much is wrong, by rules."""
        later = [*self._embedded.faults(obj)] if embedded else []
        later += self._repetitions(obj, old)
        if self._rules is None:
            return later
        if any(fault.reason in _BLOCKING for fault in (*found, *later)):
            return [*later, _BLOCKED]
        return [*later, *self._rules.faults(obj, old, link, "")]


def _judged(judge: Judge, value: Any, link: Link | None, at: str) -> list[Fault]:
    complaints = judge.complaints(value)
    if complaints and link is not None:
        complaints = judged(judge, value, link, None)
    return [complaint.fault(at) for complaint in complaints]
