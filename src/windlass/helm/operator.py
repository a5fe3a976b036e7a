"""An operator without code: a controller for each entry of `watches.yaml`."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from windlass.api import Untyped
from windlass.controller import ControllerOptions
from windlass.errors import NotFound
from windlass.helm.chart import ChartFolder
from windlass.helm.controller import HelmController
from windlass.helm.served import Served
from windlass.helm.shared import SharedObjects
from windlass.helm.values import resolve_overrides

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Resource
    from windlass.helm.engine import Helm
    from windlass.helm.options import HelmOptions
    from windlass.helm.watches import HelmWatch
    from windlass.manager import Manager

_SPARE_WORKERS = 4
"""Workers besides those that may install and upgrade, so that repairs and removals go on while hooks run."""

_log = logging.getLogger("windlass.helm")


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A controller as an entry wants it.

    `workers` is how many releases it installs or upgrades at a time, None where the manager decides.
    """

    name: str
    of: type[Resource]
    chart: ChartFolder
    options: HelmOptions
    workers: int | None = None


async def plan_watches(
    watches: Sequence[HelmWatch], helm: Helm, defaults: HelmOptions, environment: Mapping[str, str]
) -> list[Planned]:
    """What runs for these entries, on the cluster that there is.

    A kind that is not served yet is taken for a namespaced one with the usual plural, and waited for.

    Raises:
        ConfigError: an override cannot be rendered.
        ToolError: an override is a template, and there is no `helm` program.
        ApiError: the server does not tell what it serves.
    """
    served = Served(helm.client)
    planned: dict[str, Planned] = {}
    for watch in watches:
        name = _name(watch, taken=planned)
        options = replace(
            defaults,
            period=defaults.period if watch.period is None else watch.period,
            overrides=await resolve_overrides(watch.overrides, environment, helm),
            selector=watch.selector,
            watch_dependents=watch.watch_dependents,
            dry_run=watch.dry_run,
            history=watch.history or defaults.history,
            timeout=watch.timeout or defaults.timeout,
            service_account=(
                defaults.service_account if watch.service_account is None else watch.service_account
            ),
        )
        planned[name] = Planned(
            name=name,
            of=await _kind(watch, served),
            chart=ChartFolder(watch.chart),
            options=options,
            workers=watch.max_concurrent,
        )
    return list(planned.values())


async def add_watches(
    manager: Manager,
    watches: Sequence[HelmWatch],
    helm: Helm,
    defaults: HelmOptions,
    environment: Mapping[str, str],
) -> None:
    """Have a manager run what these entries say, as `plan_watches` finds it.

    await add_watches(manager, read_watches(file), HelmProgram(manager.client), HelmOptions(), os.environ)
    """
    shared = SharedObjects()
    for plan in await plan_watches(watches, helm, defaults, environment):
        at_once = plan.workers or manager.options.max_concurrent_reconciles
        options = replace(plan.options, at_once=at_once)
        controller = HelmController(of=plan.of, chart=plan.chart, helm=helm, options=options)
        controller.name, controller.shared = plan.name, shared
        manager.add(controller, ControllerOptions(workers=at_once + _SPARE_WORKERS))


def _name(watch: HelmWatch, taken: Mapping[str, Planned]) -> str:
    """As operator-sdk names its controllers; where that is taken, by another group or version of the kind."""
    name = f"{watch.kind.lower()}-controller"
    longer = ".".join(part for part in (watch.kind.lower(), watch.version, watch.group) if part)
    return f"{longer}-controller" if name in taken else name


async def _kind(watch: HelmWatch, served: Served) -> type[Untyped]:
    try:
        return await served.kind(watch.api_version, watch.kind)
    except NotFound:
        _log.warning(
            "The server serves no %s yet; it is waited for as %s: install its definition (CRD)",
            f"{watch.kind} of {watch.api_version}",
            watch.guess.resource,
        )
        return Untyped.of(watch.guess)
