"""The operator that a command line names: a module with its webhooks, or a `watches.yaml`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.aio import run
from windlass.cli.shipped import full_target
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from windlass.codegen import Delivery, Extended, Project, Workload
    from windlass.helm import ChartRules, GivenValues, HelmWatch, RuleOptions

_NAMESPACE: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def load_delivery(
    target: str,
    operator: str = "",
    namespace: str = "",
    *,
    workload: Workload | None = None,
    cert_manager: bool = False,
    watch_namespaces: Iterable[str] = (),
    rules: bool = True,
) -> Delivery:
    """What is generated and deployed for an operator that ships, a module, a file or a `watches.yaml`.

    Without `rules`, the roles of a `watches.yaml` are left out: to find them, each chart is rendered by
    `helm`.

    Raises:
        ConfigError: it cannot be imported or read, or has no kinds; a name cannot be that of a namespace.
        ToolError: there is no `helm`, and it is needed.
    """
    from windlass.codegen import Delivery, Workload

    if is_watches(target):
        made = Delivery(project=_watches_project(Path(target), operator, namespace, rules=rules))
    else:
        project, extend = _module_project(target, operator, namespace, cert_manager=cert_manager)
        made = Delivery(project=project, extend=extend)
    limited = replace(made.project, watch_namespaces=_namespaces(watch_namespaces))
    return replace(made, project=limited, workload=workload or Workload())


def is_watches(target: str) -> bool:
    """Whether a command was given a file of watches, and not a module."""
    return target.endswith((".yaml", ".yml"))


def default_name(watches: Sequence[HelmWatch]) -> str:
    """What the operator is called that does not say: by one of its kinds, whatever order they stand in."""
    return f"{min(watch.kind for watch in watches).lower()}-operator"


async def find_rules(
    watches: Sequence[HelmWatch],
    program: Path,
    options: RuleOptions | None = None,
    values: GivenValues | None = None,
) -> ChartRules:
    """Find the permissions of the operator of a `watches.yaml`, on an API server in this process."""
    from windlass.client import Client
    from windlass.cluster import Cluster
    from windlass.helm import GivenValues, HelmProgram, watch_rules

    async with Cluster() as cluster:
        helm = HelmProgram(Client(cluster.transport()), program=program)
        by_kind = await (values or GivenValues()).by_kind((watch.kind for watch in watches), helm)
        return await watch_rules(watches, helm, options, by_kind)


def _module_project(
    target: str, operator: str, namespace: str, *, cert_manager: bool
) -> tuple[Project, Callable[[Project], Extended]]:
    from windlass.codegen import load_module, load_project
    from windlass.webhook import parts_of, with_webhooks

    module = full_target(target)
    extend = partial(with_webhooks, parts=parts_of(load_module(module)), cert_manager=cert_manager)
    return load_project(module, operator, namespace), extend


def _watches_project(file: Path, operator: str, namespace: str, *, rules: bool) -> Project:
    import click

    from windlass.cli.charts import load_watches
    from windlass.helm import RuleOptions, watches_project
    from windlass.tools import find_helm

    watches = load_watches(file)
    options = RuleOptions(served=tuple(watch.guess for watch in watches))  # by the definitions that we make
    found = run(find_rules(watches, find_helm(), options)) if rules else None
    for note in found.notes if found else ():
        click.echo(f"warning: {note}", err=True)
    return watches_project(
        watches,
        operator=operator or default_name(watches),
        namespace=namespace,
        rules=found.rules if found else (),
    )


def _namespaces(given: Iterable[str]) -> tuple[str, ...]:
    """The namespaces to watch, each once; as in WATCH_NAMESPACE, commas separate several."""
    names = tuple(dict.fromkeys(name.strip() for each in given for name in each.split(",")))
    for name in names:
        if not _NAMESPACE.fullmatch(name):
            raise ConfigError(f"--watch-namespace: {name!r} is no name of a namespace")
    return names
