from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from windlass.api import Key
    from windlass.cluster.scheduler.verdict import Rule


class Stuck:
    """Pods that found no node, by the rules that refused them: who is worth another try after a change.

    Whoever is let go tries again, and is put back if that fails; meanwhile no change lets it go a second
    time, so that a burst of changes costs each pod one try.
    """

    def __init__(self) -> None:
        self._by_rule: dict[Rule, dict[Key, None]] = {}
        self._rules: dict[Key, frozenset[Rule]] = {}

    def put(self, key: Key, rules: Iterable[Rule]) -> None:
        """A pod was refused by these rules."""
        self.drop(key)
        self._rules[key] = frozenset(rules)
        for rule in self._rules[key]:
            self._by_rule.setdefault(rule, {})[key] = None

    def drop(self, key: Key) -> None:
        """A pod found a node, is being tried, or is gone."""
        for rule in self._rules.pop(key, ()):
            del self._by_rule[rule][key]

    def let_go(self, rules: Iterable[Rule], worth: Callable[[Key], bool]) -> list[Key]:
        """Those that one of these rules refused and that a try is worth for, the longest stuck first."""
        found = dict.fromkeys(key for rule in rules for key in self._by_rule.get(rule, ()) if worth(key))
        for key in found:
            self.drop(key)
        return list(found)
