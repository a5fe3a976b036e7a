"""The operator that a command line names: a module with its webhooks, or a `watches.yaml`."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.cli.foreground import run
from windlass.cli.shipped import full_target
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from windlass.codegen import Delivery, Extended, Project, Workload
    from windlass.helm import ChartRules, GivenValues, HelmWatch, RuleOptions

_NAMESPACE: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


class IncompleteError(click.ClickException):
    """A part could not be made; all else is done."""

    exit_code = 3


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
    given: Mapping[str, Any] | None = None,
) -> Delivery:
    """What is generated and deployed for an operator that ships, a module, a file or a `watches.yaml`.

    Without `rules`, the roles of a `watches.yaml` are left out: to find them, each chart is rendered by
    `helm`. Without `charts`, its charts are not read either: enough to remove the operator. `given` are the
    flags of `chart_flags` and `value_flags`. Kinds for whose objects no rules were found are in
    `without_rules` of the project; give it to `check_rules` when all else is done.

    Raises:
        ConfigError: it cannot be imported or read, or has no kinds; a name cannot be that of a namespace.
        ToolError: there is no `helm`, and it is needed.
    """
    from windlass.cli.charts import VALUE_OPTIONS, given_values, load_watches, run_flags
    from windlass.codegen import Delivery, Workload

    if namespace:
        _check_namespace("--namespace", namespace)
    workload, given = workload or Workload(), given or {}
    if is_watches(target):
        watches = load_watches(Path(target), given or None, charts=charts)
        found = _found_rules(watches, given_values(given)) if rules and charts else None
        made = Delivery(project=_watches_project(watches, operator, namespace, found, charts=charts))
        workload = replace(workload, args=[*run_flags(given), *workload.args])
    elif any(given.get(name) for name in VALUE_OPTIONS):
        raise ConfigError(f"--values, --set and --set-string are for the charts of a watches.yaml: {target}")
    else:
        project, extend = _module_project(target, operator, namespace, cert_manager=cert_manager)
        made = Delivery(project=project, extend=extend)
    limited = replace(made.project, watch_namespaces=checked_namespaces(watch_namespaces))
    return replace(made, project=limited, workload=workload)


def is_watches(target: str) -> bool:
    """Whether a command was given a file of watches, and not a module."""
    return target.endswith((".yaml", ".yml"))


def default_name(watches: Sequence[HelmWatch]) -> str:
    """The operator's name unless it is given: that of the first entry's kind.

    Entries that are appended do not change it.
    """
    return f"{watches[0].kind.lower()}-operator"


def check_rules(delivery: Delivery) -> None:
    """Raise an error if the role of an operator lacks the rules of a chart; call it when all else is done.

    Raises:
        IncompleteError: it does.
    """
    if delivery.project.without_rules:
        raise without_rules(delivery.project.without_rules)


def without_rules(kinds: Iterable[str]) -> IncompleteError:
    """The error for kinds for whose objects no rules were found; notes printed before say why."""
    return IncompleteError(
        f"no rules for the objects of {', '.join(kinds)}: see above. The role covers all else"
    )


def check_samples(delivery: Delivery) -> None:
    """Raise an error if a kind has no sample; call it when all else is done.

    Raises:
        IncompleteError: one has none.
    """
    if faults := delivery.project.without_sample:
        raise IncompleteError("\n".join(["all files but these samples are written:", *faults]))


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
    from windlass.codegen import load_operator, project_of
    from windlass.webhook import parts_of, serve_parts_of, served_parts, with_webhooks

    loaded = load_operator(full_target(target), operator, serve_parts_of)
    project = project_of(loaded, namespace)
    served = served_parts(project.companions)
    for part in parts_of(loaded.module):
        if part not in served:
            click.echo(
                f"warning: add_to of {target} serves nothing at {part.path}, which the module declares: add "
                "it to a WebhookServer, or it is in no configuration",
                err=True,
            )
    return project, partial(with_webhooks, cert_manager=cert_manager)


def _found_rules(watches: Sequence[HelmWatch], values: GivenValues) -> ChartRules:
    """Find the rules of charts, and print what is not certain."""
    from windlass.helm import RuleOptions
    from windlass.tools import find_helm

    options = RuleOptions(served=tuple(watch.guess for watch in watches))  # by the definitions that we make
    found = run(find_rules(watches, find_helm(), options, values))
    for note in found.notes:
        click.echo(f"warning: {note}", err=True)
    return found


def _watches_project(
    watches: Sequence[HelmWatch], operator: str, namespace: str, found: ChartRules | None, *, charts: bool
) -> Project:
    from windlass.helm import watches_project

    made = watches_project(
        watches,
        operator=operator or default_name(watches),
        namespace=namespace,
        rules=found.rules if found else (),
        charts=charts,
    )
    return replace(made, without_rules=found.unknown if found else ())


def checked_namespaces(given: Iterable[str]) -> tuple[str, ...]:
    """Return the namespaces to watch, each once; as in WATCH_NAMESPACE, commas separate several.

    Raises:
        ConfigError: a name cannot be that of a namespace.
    """
    names = tuple(dict.fromkeys(name.strip() for each in given for name in each.split(",")))
    for name in names:
        _check_namespace("--watch-namespace", name)
    return names


def _check_namespace(flag: str, name: str) -> None:
    if not _NAMESPACE.fullmatch(name):
        raise ConfigError(f"{flag}: {name!r} is no name of a namespace")
