"""`windlass generate`: files from types, and types from files."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.codegen import Project

_check = click.option(
    "--check", is_flag=True, help="Write nothing; fail when a file differs from what would be written."
)


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """What every command that reads an operator's module takes."""
    for decorate in (
        click.argument("module"),
        click.option(
            "--config", "folder", default="config", type=click.Path(path_type=Path), show_default=True
        ),
        click.option("--operator", default="", help="The operator's name; by default the module's."),
        click.option("--namespace", default="", help="The operator's namespace; by default OPERATOR-system."),
        click.option("--cert-manager", is_flag=True, help="Certificates of webhooks are cert-manager's."),
        _check,
    ):
        command = decorate(command)
    return command


@click.group()
def generate() -> None:
    """Generate files from types, and types from files.

    MODULE is a dotted name (demo.types) or a file (demo/types.py).
    """


@generate.command()
@_options
def crds(folder: Path, check: bool, **module: Any) -> None:
    """Custom resource definitions, into CONFIG/crd/bases."""
    _finish(folder, _load(**module).project.crds(), check)


@generate.command()
@_options
def rbac(folder: Path, check: bool, **module: Any) -> None:
    """Roles and their bindings, into CONFIG/rbac."""
    _finish(folder, _load(**module).project.rbac(), check)


@generate.command()
@_options
def samples(folder: Path, check: bool, **module: Any) -> None:
    """One sample object of each kind, into CONFIG/samples."""
    _finish(folder, _load(**module).project.samples(), check)


@generate.command()
@_options
def webhooks(folder: Path, check: bool, **module: Any) -> None:
    """Configurations of webhooks and their service, into CONFIG/webhook."""
    found = _load(**module).webhooks
    if not found:
        raise ConfigError(f"{module['module']} has no webhooks: functions below @mutating or @validating")
    _finish(folder, found, check)


@generate.command("all")
@_options
def everything(folder: Path, check: bool, **module: Any) -> None:
    """Definitions, roles, webhooks and samples at once."""
    loaded = _load(**module)
    project = loaded.project
    _finish(folder, {**project.crds(), **project.rbac(), **loaded.webhooks, **project.samples()}, check)


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


class _Loaded(NamedTuple):
    """An operator's module: what is generated from its types, and the files of its webhooks."""

    project: Project
    webhooks: Mapping[str, str]


def _load(module: str, operator: str, namespace: str, cert_manager: bool) -> _Loaded:
    from windlass.codegen import load_module, load_project
    from windlass.webhook import parts_of, webhook_files, with_webhooks

    project, parts = load_project(module, operator, namespace), parts_of(load_module(module))
    return _Loaded(
        with_webhooks(project, parts, cert_manager=cert_manager),
        webhook_files(project, parts, cert_manager=cert_manager),
    )


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
            words += parameter.opts[:1] if isinstance(parameter, click.Option) else ()
            words += () if value is True else map(str, value if isinstance(value, tuple) else [value])
    return shlex.join(words)
