"""`windlass generate`: files from types, and types from files."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from windlass.cli.charts import (
    CHART_OPTIONS,
    VALUE_OPTIONS,
    chart_flags,
    image_flag,
    name_flag,
    value_flags,
)
from windlass.cli.flags import WATCH_FLAG
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.codegen import Delivery

_check = click.option(
    "--check", is_flag=True, help="Write nothing; fail when a file differs from what would be written."
)


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """What every command that writes into the folder of an operator's files takes."""
    folder = click.option(
        "--config", "folder", default="config", type=click.Path(path_type=Path), show_default=True
    )
    return _subject(folder(command))


def _subject(command: Callable[..., None]) -> Callable[..., None]:
    """What every command that reads an operator's module takes."""
    for decorate in (
        click.argument("module"),
        name_flag,
        click.option("--namespace", default="", help="The operator's namespace; by default OPERATOR-system."),
        click.option("--cert-manager", is_flag=True, help="Certificates of webhooks are cert-manager's."),
        chart_flags,
        _check,
    ):
        command = decorate(command)
    return command


@click.group()
def generate() -> None:
    """Generate files from types, and types from files.

    MODULE is a dotted name (demo.types), a file (demo/types.py), an operator that ships (collector), or a
    watches.yaml of Helm charts.
    """


@generate.command()
@_options
def crds(folder: Path, check: bool, **module: Any) -> None:
    """Custom resource definitions, into CONFIG/crd/bases."""
    _finish(folder, _load(**module, rules=False).whole.project.crds(), check)


@generate.command()
@_options
@WATCH_FLAG
@value_flags
def rbac(folder: Path, check: bool, **module: Any) -> None:
    """Roles and their bindings, into CONFIG/rbac.

    The exit code is 3 if nothing could be found out about a chart; the role then covers the others.
    """
    delivery = _load(**module)
    _finish(folder, delivery.whole.project.rbac(), check)
    _check_rules(delivery)


@generate.command()
@_options
def samples(folder: Path, check: bool, **module: Any) -> None:
    """One sample object of each kind, into CONFIG/samples.

    The exit code is 3 if no sample of a kind can be derived; those of the others are written.
    """
    delivery = _load(**module, rules=False)
    _finish(folder, delivery.whole.project.samples(), check)
    _check_samples(delivery)


@generate.command()
@_options
def webhooks(folder: Path, check: bool, **module: Any) -> None:
    """Configurations of webhooks and their service, into CONFIG/webhook."""
    found = _load(**module, rules=False).whole.files
    if not found:
        raise ConfigError(
            f"{module['module']} serves no webhooks: declare functions with @mutating or @validating, and "
            "give them to a WebhookServer in add_to"
        )
    _finish(folder, found, check)


@generate.command()
@_options
@image_flag
@WATCH_FLAG
def manager(folder: Path, check: bool, **module: Any) -> None:
    """What runs the operator in a cluster, into CONFIG/manager, CONFIG/default and CONFIG/prometheus.

    `kubectl apply -k CONFIG/default` needs the definitions and roles too; `generate all` writes all of it.
    """
    _finish(folder, _load(**module, rules=False).files(), check)


@generate.command()
@_subject
@click.option("--output", "folder", default="chart", type=click.Path(path_type=Path), show_default=True)
@image_flag
@WATCH_FLAG
@value_flags
def chart(folder: Path, check: bool, **module: Any) -> None:
    """A Helm chart that installs the operator, into OUTPUT.

    Its value watchNamespaces limits the operator to namespaces; --watch-namespace is its default. The exit
    code is 3 if nothing could be found out about a chart of a watches.yaml; the role then covers the others.
    """
    delivery = _load(**module)
    _finish(folder, delivery.chart(), check)
    _check_rules(delivery)


@generate.command()
@click.argument("watches", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@name_flag
@click.option("--base", default="", help="The image of Windlass; by default the one of this version.")
@chart_flags
@_check
def dockerfile(watches: Path, operator: str, base: str, check: bool, **fetch: Any) -> None:
    """The Dockerfile of an operator that is made of Helm charts, beside its watches.yaml.

    Build the image in that folder: it copies the file and the charts.
    """
    from windlass.cli.charts import load_watches
    from windlass.cli.delivery import default_name
    from windlass.helm import watches_image

    found = load_watches(watches, fetch)
    text = watches_image(watches, found, operator or default_name(found), base)
    _finish(watches.parent, {"Dockerfile": text}, check)


@generate.command("all")
@_options
@image_flag
@WATCH_FLAG
@value_flags
def everything(folder: Path, check: bool, **module: Any) -> None:
    """Everything but the chart; of a module with nothing to run, not what would run it.

    The exit code is 3 if nothing could be found out about a chart, or no sample of a kind can be derived; all
    else is written.
    """
    delivery = _load(**module)
    project, webhooks = delivery.whole.project, delivery.whole.files
    files = {**project.crds(), **project.rbac(), **webhooks, **project.samples()}
    _finish(folder, files | (delivery.files() if project.runs else {}), check)
    _check_rules(delivery)
    _check_samples(delivery)


@generate.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--cluster", is_flag=True, help="Read the definitions of the current kubeconfig's cluster.")
@click.option("--group", default="", help="With --cluster: only the kinds of this group.")
@click.option("--output", "folder", default=".", type=click.Path(path_type=Path), show_default=True)
@_check
def models(files: tuple[Path, ...], cluster: bool, group: str, folder: Path, check: bool) -> None:
    """Typed models of the custom resources in CRD files, or in a live cluster."""
    from windlass.api import read_yaml
    from windlass.codegen import from_crds

    if bool(files) == cluster:
        raise ConfigError(
            "name CRD files, or --cluster, but not both" if files else "name CRD files, or --cluster"
        )
    if cluster:
        documents = asyncio.run(_served_definitions(group))
    else:
        documents = [each for path in files for each in read_yaml(path.read_bytes(), str(path))]
    _finish(folder, from_crds(documents), check)


async def _served_definitions(group: str) -> list[dict[str, object]]:
    from windlass.client import connect
    from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

    async with connect() as client:
        found = await client.list(CustomResourceDefinition)
    return [each.to_wire() for each in found if group in ("", each.spec.group)]


def _load(module: str, operator: str, namespace: str, image: str = "", **more: Any) -> Delivery:
    from windlass.cli.delivery import load_delivery
    from windlass.codegen import Workload

    names: tuple[str, ...] = (*CHART_OPTIONS, *VALUE_OPTIONS)
    given = {name: more.pop(name) for name in names if name in more}
    return load_delivery(module, operator, namespace, workload=Workload(image=image), given=given, **more)


def _check_rules(delivery: Delivery) -> None:
    from windlass.cli.delivery import check_rules

    check_rules(delivery)


def _check_samples(delivery: Delivery) -> None:
    from windlass.cli.delivery import check_samples

    check_samples(delivery)


def _finish(folder: Path, files: Mapping[str, str], check: bool) -> None:
    """Write the files, or say how they differ."""
    from windlass.codegen import compare_files, orphans, write_files

    if not check:
        for path in write_files(folder, files):
            click.echo(f"wrote {path}")
        for path in orphans(folder, files):
            path.unlink()
            click.echo(f"removed {path}")
        return
    differences = compare_files(folder, files)
    for difference in differences:
        click.echo(difference.text, nl=False)
    if differences:
        raise ConfigError(
            f"{len(differences)} files differ from what they are generated from; "
            f"to mend it: {_this_command(without='check')}"
        )


def _this_command(without: str) -> str:
    """The command that runs, to be typed again without one of its flags."""
    context = click.get_current_context()
    words = ["windlass", "generate", str(context.info_name)]
    for parameter in context.command.params:
        name, value = str(parameter.name), context.params[str(parameter.name)]
        said = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if said and name != without:
            option = parameter.opts[:1] if isinstance(parameter, click.Option) else []
            if isinstance(value, bool):
                words += option if value else parameter.secondary_opts[:1]
                continue
            values = value if isinstance(value, tuple) else (value,)
            words += [word for each in values for word in (*option, str(each))]
    return shlex.join(words)
