from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from windlass.apiserver.access.attempt import Attempt


class Rule:
    """One rule of a role, made ready to be asked often. `json` is the rule as it is written."""

    __slots__ = ("groups", "json", "names", "paths", "resources", "verbs")

    def __init__(self, json: dict[str, Any]) -> None:
        self.json = json
        self.verbs = frozenset(json.get("verbs") or ())
        self.groups = frozenset(json.get("apiGroups") or ())
        self.resources = frozenset(json.get("resources") or ())
        self.names = frozenset(json.get("resourceNames") or ())
        self.paths = tuple(json.get("nonResourceURLs") or ())

    def allows(self, attempt: Attempt) -> bool:
        """Whether this rule alone allows an attempt."""
        # Asked for every rule of every role until one allows: what fails most often comes first, in line.
        if attempt.group not in self.groups and "*" not in self.groups and attempt.path is None:
            return False
        if attempt.verb not in self.verbs and "*" not in self.verbs:
            return False
        if attempt.path is not None:
            return self.has_path(attempt.path)
        return self.has_resource(attempt.target) and (not self.names or attempt.name in self.names)

    def has_verb(self, verb: str) -> bool:
        """Whether it is about a verb."""
        return verb in self.verbs or "*" in self.verbs

    def has_group(self, group: str) -> bool:
        """Whether it is about a group."""
        return group in self.groups or "*" in self.groups

    def has_resource(self, target: str) -> bool:
        """Whether it is about a resource, or about `resource/subresource`, alone or among those of all."""
        if target in self.resources or "*" in self.resources:
            return True
        _, slash, subresource = target.partition("/")
        return bool(slash) and f"*/{subresource}" in self.resources

    def has_path(self, path: str) -> bool:
        """Whether it is about a path that is no resource's; a pattern ends in `*`."""
        return any(
            path == pattern or (pattern.endswith("*") and path.startswith(pattern.rstrip("*")))
            for pattern in self.paths
        )
