"""A pod as the standards look at it, and the words in which they tell what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Fields = dict[str, Any]

_KINDS: Final = ("initContainers", "containers", "ephemeralContainers")


class Violation(NamedTuple):
    """What a pod does that it may not do: in a word, and in detail."""

    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.detail})"


class Subject(NamedTuple):
    """A pod, or the template of one, and the minor version of the standard that it is held to."""

    metadata: Mapping[str, Any]
    spec: Mapping[str, Any]
    minor: int

    @property
    def annotations(self) -> Mapping[str, str]:
        """The annotations."""
        found: Mapping[str, str] = self.metadata.get("annotations") or {}
        return found

    @property
    def context(self) -> Fields:
        """The security context of the pod as a whole."""
        return context_of(self.spec)

    def containers(self) -> Iterator[Fields]:
        """Every container, whenever it runs."""
        for kind in _KINDS:
            yield from self.spec.get(kind) or ()

    def contained(self, is_bad: Callable[[Fields], bool]) -> list[str]:
        """The names of the containers that something is wrong with."""
        return [container["name"] for container in self.containers() if is_bad(container)]

    def setters(self, is_bad: Callable[[Fields], bool]) -> str:
        """Who has a security context that something is wrong with: `pod and container "a"`, or nobody."""
        names = self.contained(lambda container: is_bad(context_of(container)))
        found = ["pod"] if is_bad(self.context) else []
        return " and ".join([*found, *([told(names)] if names else [])])

    @property
    def is_on_windows(self) -> bool:
        """Whether what only Linux knows need not be said."""
        return bool((self.spec.get("os") or {}).get("name") == "windows")

    @property
    def has_own_users(self) -> bool:
        """Whether its users, root included, are not those of the node."""
        return self.spec.get("hostUsers") is False


def context_of(holder: Mapping[str, Any]) -> Fields:
    """The security context of a pod's spec or a container."""
    found: Fields = holder.get("securityContext") or {}
    return found


def told(names: Sequence[str], what: str = "container") -> str:
    """Things with their names: `containers "a", "b"`."""
    return f"{several(names, what)} {quoted(names)}"


def several(items: Sequence[str], one: str, more: str = "") -> str:
    """A word for one, or for more than one."""
    return one if len(items) == 1 else more or f"{one}s"


def quoted(items: Iterable[str]) -> str:
    """Texts in quotes, with commas between them."""
    return ", ".join(f'"{item}"' for item in items)
