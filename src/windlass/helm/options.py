from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from windlass.api import Selector
from windlass.client import Impersonation
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import LabelSelector

DryRun = Literal["client", "server"]

_DRY_RUNS: Final = ("client", "server")


@dataclass(frozen=True, kw_only=True)
class HelmOptions:
    """How the objects of a kind become releases.

    `period`: how long after a pass that went well the next one follows; zero for never.
    `overrides`: values that win over those of the object, by their path as `helm --set-string` has it.
    `selector`: which objects of the kind are meant, in either form that Kubernetes has for it.
    `watch_dependents`: whether a change of what a release consists of wakes its object.
    `dry_run`: `server` lets templates `lookup` objects while it is found out whether anything changed.
    `suppress_overrides`: tell of an override, but not its value.
    `metadata_key`: the name of the value under which charts find the object's metadata; empty for none.
    `namespace`: where the releases of objects lie that are in no namespace themselves.
    `service_account`: the ServiceAccount, of the release's namespace, as which everything is deployed; empty
    for the operator itself. What it may not do fails, and templates `lookup` only what it may read.
    `history`: how many old revisions Helm keeps. `timeout`: how long one call of Helm may take.
    `at_once`: how many releases of the kind are installed or upgraded at a time; None for no limit but that
    of `HelmProgram`. Have more workers than that: they repair drift and remove releases while hooks run.

    Raises:
        ConfigError: a value cannot be used; the message says which.
    """

    period: timedelta = timedelta(minutes=1)
    overrides: Mapping[str, str] = field(default_factory=dict)
    selector: LabelSelector | str = ""
    watch_dependents: bool = True
    dry_run: DryRun = "client"
    suppress_overrides: bool = False
    metadata_key: str = ""
    namespace: str = "default"
    service_account: str = ""
    history: int = 10
    timeout: timedelta = timedelta(minutes=5)
    at_once: int | None = None

    def __post_init__(self) -> None:
        if self.period < timedelta():
            raise ConfigError(f"period is {self.period.total_seconds():g} s, less than nothing")
        if self.timeout <= timedelta():
            raise ConfigError(f"timeout is {self.timeout.total_seconds():g} s, which leaves no time")
        if not self.namespace:
            raise ConfigError("namespace is empty; every release lies in one")
        if self.history < 1:
            raise ConfigError(f"history is {self.history}; a release has at least one revision")
        if self.dry_run not in _DRY_RUNS:
            raise ConfigError(f"dry_run is {self.dry_run!r}, neither client nor server")
        self.user_in(self.namespace)
        if not all(self.overrides):
            raise ConfigError("an override has no path; name the value that it is for")
        try:
            self.labels()
        except ValueError as error:
            raise ConfigError(f"selector: {error}") from error

    def user_in(self, namespace: str) -> Impersonation | None:
        """Whom to act as for a release in a namespace; None for the operator itself."""
        account = self.service_account
        return Impersonation.service_account(namespace, account) if account else None

    def labels(self) -> Selector:
        """The selector in one form."""
        return Selector.parse(self.selector) if isinstance(self.selector, str) else self.selector.selector()
