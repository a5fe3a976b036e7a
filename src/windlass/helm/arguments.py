"""The words of a command line of `helm`, for its versions 3 and 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.helm.postrender import PLUGIN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from windlass.api import Key
    from windlass.helm.blueprint import Blueprint
    from windlass.helm.engine import Deploying, Retreat

_VALUES: Final = ("--values", "-")  # on standard input, where no other process can read them
_SERVER_SIDE: Final = 4
"""The version from which on Helm applies on the server, and takes post-renderers as plugins."""


@dataclass(frozen=True)
class Arguments:
    """What to tell a `helm` of a major version."""

    major: int

    def deploy(self, blueprint: Blueprint, how: Deploying, renderer: Sequence[str] = ()) -> list[str]:
        """Install or upgrade. `renderer` is the command of the post-renderer.

        Where there is no release, `upgrade --install` does what `install` does, hooks and `crds/` included; a
        release whose first revision failed is upgraded, without installing `crds/` again.
        """
        labels = ",".join(f"{name}={value}" for name, value in sorted(how.labels.items()))
        return [
            *("upgrade", blueprint.release.name, str(blueprint.chart.path), "--install"),
            *("--output", "json"),
            *_place(blueprint.release),
            *_values(blueprint),
            "--reset-values",  # else no values at all would mean those of the last revision
            *(("--labels", labels) if labels else ()),
            *("--history-max", str(how.history)),
            *self._writing(force=how.force),
            *self._validation(force=how.force),
            *_manner(how),
            *(("--description", how.description) if how.description else ()),
            *self._renderer(renderer),
        ]

    def render(
        self, blueprint: Blueprint, *, is_upgrade: bool, on_server: bool, hooks: bool = False
    ) -> list[str]:
        """Render; `on_server` takes the capabilities from the cluster, and lets templates look at objects."""
        capabilities = blueprint.capabilities
        served = capabilities.asked_by(blueprint.chart)["served"]
        asked = ("--kube-version", capabilities.kube_version, *(f"--api-versions={each}" for each in served))
        return [
            *("template", blueprint.release.name, str(blueprint.chart.path)),
            *(() if hooks else ("--no-hooks",)),
            *_place(blueprint.release),
            *_values(blueprint),
            *(("--is-upgrade",) if is_upgrade else ()),
            *(("--dry-run=server", *self._validation()) if on_server else asked),
        ]

    def rollback(self, release: Key, revision: int, how: Retreat) -> list[str]:
        """Roll back. Helm 3 takes no description for it."""
        described = how.description and self.major >= _SERVER_SIDE
        return [
            *("rollback", release.name, str(revision)),
            *_place(release),
            *("--history-max", str(how.history)),
            *self._writing(force=how.force),
            *_manner(how),
            *(("--description", how.description) if described else ()),
        ]

    def uninstall(self, release: Key, how: Retreat) -> list[str]:
        """Uninstall. `--ignore-not-found` would take every failure to read the records for that, too."""
        return [
            *("uninstall", release.name),
            *_place(release),
            *_manner(how),
            *(("--description", how.description) if how.description else ()),
        ]

    def _writing(self, *, force: bool) -> Sequence[str]:
        if self.major < _SERVER_SIDE:
            return ("--force",) if force else ()
        if force:  # replacing is nothing that a server-side apply can do
            return ("--force-replace", "--server-side=false")
        return ("--server-side=true", "--force-conflicts")

    def _validation(self, *, force: bool = False) -> Sequence[str]:
        """Leave the validation of fields to the server, where that does it.

        A server-side apply is refused if a field is unknown or has a wrong type. To find the same out itself,
        Helm reads the OpenAPI documents of each group, for more than half of its CPU time.
        """
        return () if force or self.major < _SERVER_SIDE else ("--disable-openapi-validation",)

    def _renderer(self, command: Sequence[str]) -> Sequence[str]:
        if not command:
            return ()
        if self.major >= _SERVER_SIDE:
            return ("--post-renderer", PLUGIN)
        program, *arguments = command
        return ("--post-renderer", program, *(f"--post-renderer-args={each}" for each in arguments))


def _place(release: Key) -> Sequence[str]:
    return ("--namespace", release.namespace)


def _values(blueprint: Blueprint) -> Sequence[str]:
    assigned = (f"--set={each}" for each in blueprint.assignments)
    return (*_VALUES, *assigned, *(f"--set-string={each}" for each in blueprint.overrides))


def _manner(how: Deploying | Retreat) -> Sequence[str]:
    return (*_timeout(how.timeout), *(() if how.hooks else ("--no-hooks",)))


def _timeout(limit: timedelta) -> Sequence[str]:
    return ("--timeout", f"{limit.total_seconds():g}s")
