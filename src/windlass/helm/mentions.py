"""What the templates of a chart mention, found in their text: kinds, and values that decide something.

It is an aid for what no rendering reaches. What a template puts together from parts is not found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.helm.asks import actions, without_comments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TEMPLATE: Final = re.compile(r"(?:^|/)templates/.*\.(?:ya?ml|tpl|txt)$")
_COMMENT: Final = re.compile(r"^[ \t]*#[^\n]*$", re.MULTILINE)
_DOCUMENT: Final = re.compile(r"^---.*$", re.MULTILINE)
_FIELD: Final = r"^%s:[ \t]*[\"']?([\w./-]+)[\"']?[ \t]*$"  # of the object itself, not of what is in it
_API_VERSION: Final = re.compile(_FIELD % "apiVersion", re.MULTILINE)
_KIND: Final = re.compile(_FIELD % "kind", re.MULTILINE)
_IS_TEST: Final = re.compile(r"helm\.sh/hook[\"']?:[ \t]*[\"']?test")
_LOOKUP: Final = re.compile(r'\blookup\s+"([^"]+)"\s+"([^"]+)"(?:\s+"([^"]*)")?')
_SERVED: Final = re.compile(r'"((?:[a-z0-9.-]+/)?v\d+(?:(?:alpha|beta)\d+)?(?:/[A-Z]\w*)?)"')
_VALUES: Final = r"\$?\.Values\.([\w.]{1,200})"  # the bounds keep matching linear
_TESTED: Final = re.compile(_VALUES)
_COMPARED: Final = re.compile(rf'\b(?:eq|ne)\s+\(?(?:toString\s+)?{_VALUES}\)?\s+"([^"]*)"')
_REQUIRED: Final = re.compile(
    rf'\brequired\s+(?:"[^"]*"|`[^`]*`|\(.{{0,500}}?\))\s+{_VALUES}|{_VALUES}\s*\|\s*required\b', re.DOTALL
)
_DECIDING: Final = re.compile(r"^\s*(?:else\s+)?(?:if|with|range)\b|\b(?:ternary|and|or|not)\b")


class Mentioned(NamedTuple):
    """A kind that a template names."""

    api_version: str
    kind: str

    @property
    def group(self) -> str:
        """The group, empty also where no version is written."""
        return self.api_version.rpartition("/")[0]

    def __str__(self) -> str:
        """As notes name it: `ServiceMonitor of monitoring.coreos.com/v1`."""
        return f"{self.kind} of {self.api_version}" if self.api_version else self.kind


class Lookup(NamedTuple):
    """A kind that a template reads, and the namespace: empty for all, None if a template puts it together."""

    kind: Mentioned
    namespace: str | None


@dataclass(frozen=True)
class Decision:
    """A value by which a template decides: its path, and the text that it is compared with, if any."""

    path: tuple[str, ...]
    text: str = ""


def templates(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The templates of a chart and its subcharts without their comments, by the folder of their chart."""
    for name, text in files.items():
        if _TEMPLATE.search(name):
            yield name.rpartition("templates/")[0], _COMMENT.sub("", without_comments(text))


def kinds(text: str) -> Iterator[Mentioned]:
    """The kinds of the objects in a template, where they are written out.

    A document may name several versions, of which the cluster decides: each of them is found. If the version
    is put together or comes from elsewhere, it is empty.
    """
    for document in _DOCUMENT.split(text):
        if _IS_TEST.search(document):
            continue  # `helm test` is for people
        versions = [each for each in _API_VERSION.findall(document) if _is_version(each)]
        for kind in _KIND.findall(document):
            yield from (Mentioned(version, kind) for version in dict.fromkeys(versions or [""]))


def lookups(text: str) -> Iterator[Lookup]:
    """The kinds that a template reads by `lookup`."""
    for found in _LOOKUP.finditer(text):
        yield Lookup(Mentioned(found[1], found[2]), found[3])


def api_versions(text: str) -> Iterator[str]:
    """What may be an API version, or one with a kind, that a template asks for."""
    for action in _actions(text):
        if "APIVersions" in action:
            yield from _SERVED.findall(action)


def decisions(text: str) -> Iterator[Decision]:
    """The values by which a template decides."""
    for action in _actions(text):
        for path, compared in _COMPARED.findall(action):
            yield Decision(_steps(path), compared)
        if _DECIDING.search(action):
            yield from (Decision(_steps(path)) for path in _TESTED.findall(action))


def required(text: str) -> Iterator[tuple[str, ...]]:
    """The paths of values without which a template cannot be rendered."""
    for action in _actions(text):
        for found in _REQUIRED.findall(action):
            yield _steps("".join(found))


def _actions(text: str) -> Iterator[str]:
    return (action.removeprefix("-").removesuffix("-") for action in actions(text))


def _steps(path: str) -> tuple[str, ...]:
    return tuple(step for step in path.split(".") if step)


def _is_version(text: str) -> bool:
    return bool(re.fullmatch(r"(?:[a-z0-9.-]+/)?v\d+(?:(?:alpha|beta)\d+)?", text))
