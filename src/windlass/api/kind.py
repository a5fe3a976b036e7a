from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

_VOWELS: Final = "aeiou"


@dataclass(frozen=True)
class Kind:
    """Which kind of object, and where an API server keeps it; subresources do not count in comparisons."""

    group: str
    version: str
    name: str
    plural: str
    namespaced: bool = True
    subresources: tuple[str, ...] = field(default=(), compare=False)

    @property
    def api_version(self) -> str:
        """Group and version as an object states them: `apps/v1`, or `v1` for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def resource(self) -> str:
        """The resource as roles and error messages write it: `deployments.apps`, or `pods`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def path(self, name: str = "", namespace: str = "", subresource: str = "") -> str:
        """The address of an object, of a collection (no name), or of a subresource."""
        root = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        scope = f"/namespaces/{namespace}" if namespace and self.namespaced else ""
        leaf = f"/{name}" if name else ""
        return f"{root}{scope}/{self.plural}{leaf}{'/' if subresource else ''}{subresource}"

    def __str__(self) -> str:
        return f"{self.name}.{self.api_version}"


def plural(kind: str) -> str:
    """The resource name that a kind most likely has: `Policy` → `policies`. Say `plural=` where it errs."""
    word = kind.lower()
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"
