"""The operator that a command line names: a module with its webhooks, or a `watches.yaml`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.aio import run
from windlass.cli.shipped import full_target
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from windlass.codegen import Delivery, Extended, Project, Workload
    from windlass.helm import ChartRules, GivenValues, HelmWatch, RuleOptions

_NAMESPACE: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


class IncompleteRulesError(click.ClickException):
    """No rules were found for the objects of some charts; notes that say why are printed before it."""

    exit_code = 3

    def __init__(self, unknown: Iterable[str]) -> None:
        super().__init__(f"no rules for the objects of {', '.join(unknown)}: see above")


def load_delivery(
    target: str,
    operator: str = "",
    namespace: str = "",
    *,
    workload: Workload | None = None,
    cert_manager: bool = False,
    watch_namespaces: Iterable[str] = (),
    rules: bool = True,
    charts: bool = True,
    fetch: Mapping[str, Any] | None = None,
) -> Delivery:
    """What is generated and deployed for an operator that ships, a module, a file or a `watches.yaml`.

    Without `rules`, the roles of a `watches.yaml` are left out: to find them, each chart is rendered by
    `helm`. Without `charts`, its charts are not read either: enough to remove the operator. `fetch` are the
    flags of `chart_flags`.

    Raises:
        ConfigError: it cannot be imported or read, or has no kinds; a name cannot be that of a namespace.
        ToolError: there is no `helm`, and it is needed.
        IncompleteRulesError: no rules were found for the objects of a chart.
    """
    from windlass.cli.charts import load_watches, run_flags
    from windlass.codegen import Delivery, Workload

    if namespace:
        _check_namespace("--namespace", namespace)
    workload = workload or Workload()
    if is_watches(target):
        watches = load_watches(Path(target), fetch, charts=charts)
        project = _watches_project(watches, operator, namespace, rules=rules and charts, charts=charts)
        made = Delivery(project=project)
        workload = replace(workload, args=[*run_flags(fetch or {}), *workload.args])
    else:
        project, extend = _module_project(target, operator, namespace, cert_manager=cert_manager)
        made = Delivery(project=project, extend=extend)
    limited = replace(made.project, watch_namespaces=_namespaces(watch_namespaces))
    return replace(made, project=limited, workload=workload)


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


def _watches_project(
    watches: Sequence[HelmWatch], operator: str, namespace: str, *, rules: bool, charts: bool
) -> Project:
    from windlass.helm import RuleOptions, watches_project
    from windlass.tools import find_helm

    options = RuleOptions(served=tuple(watch.guess for watch in watches))  # by the definitions that we make
    found = run(find_rules(watches, find_helm(), options)) if rules else None
    for note in found.notes if found else ():
        click.echo(f"warning: {note}", err=True)
    if found and found.unknown:
        raise IncompleteRulesError(found.unknown)
    return watches_project(
        watches,
        operator=operator or default_name(watches),
        namespace=namespace,
        rules=found.rules if found else (),
        charts=charts,
    )


def _namespaces(given: Iterable[str]) -> tuple[str, ...]:
    """The namespaces to watch, each once; as in WATCH_NAMESPACE, commas separate several."""
    names = tuple(dict.fromkeys(name.strip() for each in given for name in each.split(",")))
    for name in names:
        _check_namespace("--watch-namespace", name)
    return names


def _check_namespace(flag: str, name: str) -> None:
    if not _NAMESPACE.fullmatch(name):
        raise ConfigError(f"{flag}: {name!r} is no name of a namespace")
