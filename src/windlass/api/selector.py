import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from windlass.api.model import Model

Operator = Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]

_NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_PREFIX = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*"
_KEY = rf"(?:(?P<prefix>{_PREFIX})/)?{_NAME}"
_VALUE = rf"(?:{_NAME})?"
_TERM = (
    r"\s*(?:!\s*(?P<absent>[^\s=!<>(),]+)"
    r"|(?P<key>[^\s=!<>(),]+)"
    r"(?:\s*(?P<equal>==|=|!=|<|>)\s*(?P<value>[^\s=!<>(),]*)"
    r"|\s+(?P<set>in|notin)\s*\((?P<values>[^()]*)\))?)\s*(?:,|$)"
)
_MAX_PREFIX = 253
_EQUALITY: Mapping[str, Operator] = {"=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One term of a label selector."""

    key: str
    operator: Operator
    values: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        match = re.fullmatch(_KEY, self.key)
        if match is None or len(match["prefix"] or "") > _MAX_PREFIX:
            raise ValueError(f"{self.key!r} is not a label key such as app or example.com/app")
        if self.operator in ("Gt", "Lt"):
            if len(self.values) != 1 or not re.fullmatch(r"[-+]?\d+", self.values[0]):
                raise ValueError(f"{self.key}: {self.operator} needs one whole number, not {self.values}")
        elif (self.operator in ("In", "NotIn")) != bool(self.values):
            raise ValueError(f"{self.key}: {self.operator} goes with {len(self.values)} values?")
        for value in self.values:
            if self.operator not in ("Gt", "Lt") and not re.fullmatch(_VALUE, value):
                raise ValueError(
                    f"{value!r} is not a label value: up to 63 letters, digits, '-', '_' and '.'"
                )

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether these labels satisfy the term; `NotIn` is also satisfied by an absent label."""
        found = labels.get(self.key)
        match self.operator:
            case "In":
                return found in self.values
            case "NotIn":
                return found not in self.values
            case "Exists":
                return found is not None
            case "DoesNotExist":
                return found is None
            case "Gt":
                return found is not None and _is_number(found) and int(found) > int(self.values[0])
            case "Lt":
                return found is not None and _is_number(found) and int(found) < int(self.values[0])

    def __str__(self) -> str:
        """The term as an API server reads it."""
        one = len(self.values) == 1
        match self.operator:
            case "Exists":
                return self.key
            case "DoesNotExist":
                return f"!{self.key}"
            case "Gt" | "Lt":
                return f"{self.key}{'>' if self.operator == 'Gt' else '<'}{self.values[0]}"
            case "In" if one:
                return f"{self.key}={self.values[0]}"
            case "NotIn" if one:
                return f"{self.key}!={self.values[0]}"
        return f"{self.key} {self.operator.lower()} ({','.join(sorted(self.values))})"


@dataclass(frozen=True, slots=True)
class Selector:
    """Which labels are meant, as a conjunction of terms; no terms mean everything.

    >>> Selector.parse("app=web,tier notin (test, dev),!canary").matches({"app": "web"})
    True
    """

    requirements: tuple[Requirement, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Selector":
        """Read a selector such as `app=web,env in (a,b),!legacy,size>3`.

        Raises:
            ValueError: the text is not a label selector; the message says where.
        """
        term = re.compile(_TERM)
        requirements: list[Requirement] = []
        position = 0
        while position < len(text.rstrip()) or (position and text[position - 1] == ","):
            match = term.match(text, position)
            if match is None:
                raise ValueError(f"not a label selector at {text[position:]!r} in {text!r}")
            requirements.append(_requirement(match))
            position = match.end()
        return cls(tuple(requirements))

    @classmethod
    def of(cls, labels: Mapping[str, str]) -> "Selector":
        """Everything that has all of these labels."""
        return cls(tuple(Requirement(key, "In", (value,)) for key, value in labels.items()))

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether these labels satisfy every term."""
        return all(requirement.matches(labels) for requirement in self.requirements)

    def __str__(self) -> str:
        """The selector as an API server reads it."""
        return ",".join(map(str, self.requirements))


class LabelSelectorRequirement(Model):
    """One term of a label selector, as objects hold it."""

    key: str
    operator: str
    values: list[str] = []


class LabelSelector(Model):
    """A label selector as objects hold it. An empty one selects everything."""

    match_labels: dict[str, str] = {}
    match_expressions: list[LabelSelectorRequirement] = []

    def selector(self) -> Selector:
        """The selector that this means.

        Raises:
            ValueError: a term cannot be understood; the message says which.
        """
        return Selector(
            (*Selector.of(self.match_labels).requirements, *map(_understand, self.match_expressions))
        )

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether these labels are selected."""
        return self.selector().matches(labels)


def _requirement(match: re.Match[str]) -> Requirement:
    if match["absent"]:
        return Requirement(match["absent"], "DoesNotExist")
    if match["equal"]:
        return Requirement(match["key"], _EQUALITY[match["equal"]], (match["value"],))
    if match["set"]:
        values = tuple(value.strip() for value in match["values"].split(","))
        return Requirement(match["key"], "In" if match["set"] == "in" else "NotIn", values)
    return Requirement(match["key"], "Exists")


def _understand(term: LabelSelectorRequirement) -> Requirement:
    known: Sequence[Operator] = ("In", "NotIn", "Exists", "DoesNotExist")
    for operator in known:
        if term.operator == operator:
            return Requirement(term.key, operator, tuple(term.values))
    raise ValueError(f"{term.key}: {term.operator!r} is none of {', '.join(known)}")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-+]?\d+", text) is not None
