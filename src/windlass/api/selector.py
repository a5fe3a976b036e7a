import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Operator = Literal["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"]

_NAME = r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_PREFIX = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*"
_KEY = rf"(?:(?P<prefix>{_PREFIX})/)?{_NAME}"
_VALUE = rf"(?:{_NAME})?"
_BLANKS = " \t\r\n"  # what the API server skips; any other white space is part of a name, and refused there
_TERM = (
    rf"[{_BLANKS}]*(?:![{_BLANKS}]*(?P<absent>[^{_BLANKS}=!<>(),]+)"
    rf"|(?P<key>[^{_BLANKS}=!<>(),]+)"
    rf"(?:[{_BLANKS}]*(?P<equal>==|=|!=|<|>)[{_BLANKS}]*(?P<value>[^{_BLANKS}=!<>(),]*)"
    rf"|[{_BLANKS}]+(?P<set>in|notin)[{_BLANKS}]*\((?P<values>[^()]*)\))?)[{_BLANKS}]*(?:,|$)"
)
_MAX_PREFIX = 253
_MAX_NUMBER = 2**63 - 1
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
            if len(self.values) != 1 or _number(self.values[0]) is None:
                raise ValueError(f"{self.key}: {self.operator} needs one whole number, not {self.values}")
        elif self.operator in ("In", "NotIn"):
            if not self.values:
                raise ValueError(f"{self.key}: {self.operator} needs at least one value")
        elif self.values:
            raise ValueError(f"{self.key}: {self.operator} takes no values, not {self.values}")
        for value in self.values:
            if not re.fullmatch(_VALUE, value):
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
            case "Gt" | "Lt":
                number, bound = _number(found or ""), int(self.values[0])
                if number is None:
                    return False
                return number > bound if self.operator == "Gt" else number < bound

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
        while position < len(text.rstrip(_BLANKS)) or (position and text[position - 1] == ","):
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


def _requirement(match: re.Match[str]) -> Requirement:
    if match["absent"]:
        return Requirement(match["absent"], "DoesNotExist")
    if match["equal"]:
        return Requirement(match["key"], _EQUALITY[match["equal"]], (match["value"],))
    if match["set"]:
        values = tuple(value.strip(_BLANKS) for value in match["values"].split(","))
        return Requirement(match["key"], "In" if match["set"] == "in" else "NotIn", values)
    return Requirement(match["key"], "Exists")


def _number(text: str) -> int | None:
    """The whole number that a label value is, if it is one that a server can compare (64 bits)."""
    number = int(text) if re.fullmatch(r"[0-9]{1,63}", text) else None
    return number if number is not None and number <= _MAX_NUMBER else None
