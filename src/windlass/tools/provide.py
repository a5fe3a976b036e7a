"""The ways in: find programs, install them, list them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windlass.errors import ToolError
from windlass.tools.catalog import (
    CONTROL_PLANE,
    ETCD,
    HELM,
    KUBE_APISERVER,
    KUBE_CONTROLLER_MANAGER,
    KUBE_SCHEDULER,
    KUBECTL,
    PROGRAMS,
)
from windlass.tools.search import search

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from windlass.tools.program import Found, Program
    from windlass.tools.progress import Report


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlPlaneTools:
    """The programs of a control plane; the last two are only needed where controllers are to run."""

    etcd: Path
    kube_apiserver: Path
    kube_controller_manager: Path | None = None
    kube_scheduler: Path | None = None


def find_control_plane(
    env: Mapping[str, str] | None = None, *, controllers: bool = True
) -> ControlPlaneTools:
    """The programs of a control plane, if all are there already. `env` is the process's own by default.

    Without `controllers`, only etcd and kube-apiserver are looked for, as they come with setup-envtest.

    Raises:
        ToolError: some are missing; the message names them and the command that installs them.
    """
    return _control_plane(_find(CONTROL_PLANE if controllers else (ETCD, KUBE_APISERVER), env))


def find_helm(env: Mapping[str, str] | None = None) -> Path:
    """Helm, if it is there already. `env` is the process's own by default.

    Raises:
        ToolError: it is missing; the message names the command that installs it.
    """
    return _find([HELM], env)[0].path


def find_kubectl(env: Mapping[str, str] | None = None) -> Path:
    """kubectl, if it is there already. `env` is the process's own by default.

    Raises:
        ToolError: it is missing; the message names the command that installs it.
    """
    return _find([KUBECTL], env)[0].path


def install_control_plane(report: Report, env: Mapping[str, str] | None = None) -> ControlPlaneTools:
    """The programs of a control plane, downloaded or built where they are missing (minutes, the first time).

    Raises:
        ToolError: one can neither be found nor made; the message says what was tried and what to do.
    """
    return _control_plane(_install(CONTROL_PLANE, report, env))


def install_helm(report: Report, env: Mapping[str, str] | None = None) -> Path:
    """Helm, downloaded or built if it is missing (minutes, the first time).

    Raises:
        ToolError: it can neither be found nor made; the message says what was tried and what to do.
    """
    return _install([HELM], report, env)[0].path


def install_kubectl(report: Report, env: Mapping[str, str] | None = None) -> Path:
    """kubectl, downloaded or built if it is missing (minutes, the first time).

    Raises:
        ToolError: it can neither be found nor made; the message says what was tried and what to do.
    """
    return _install([KUBECTL], report, env)[0].path


def look_up(notice: Report, env: Mapping[str, str] | None = None) -> Sequence[tuple[Program, Found | None]]:
    """Every program, and the file that would be used if there is one; `notice` hears what is passed over."""
    surroundings = os.environ if env is None else env
    return [(program, search(program, surroundings, notice)) for program in PROGRAMS]


def _find(programs: Sequence[Program], env: Mapping[str, str] | None) -> Sequence[Found]:
    surroundings = os.environ if env is None else env
    notices: list[str] = []
    looked = [(program, search(program, surroundings, notices.append)) for program in programs]
    missing = [program for program, found in looked if found is None]
    if missing:
        names = ", ".join(str(program) for program in missing)
        raise ToolError(
            "\n".join([f"missing: {names}", *notices, f"Run: windlass tools install {missing[0].bundle}"])
        )
    return [found for _, found in looked if found is not None]


def _install(programs: Sequence[Program], report: Report, env: Mapping[str, str] | None) -> Sequence[Found]:
    from windlass.tools.install import Installer  # archives, subprocesses: only an installation needs them
    from windlass.tools.program import Platform
    from windlass.tools.progress import Progress

    installer = Installer(os.environ if env is None else env, Progress(report), Platform.current())
    return [installer.install(program) for program in programs]


def _control_plane(found: Sequence[Found]) -> ControlPlaneTools:
    paths = {each.program: each.path for each in found}
    return ControlPlaneTools(
        etcd=paths[ETCD],
        kube_apiserver=paths[KUBE_APISERVER],
        kube_controller_manager=paths.get(KUBE_CONTROLLER_MANAGER),
        kube_scheduler=paths.get(KUBE_SCHEDULER),
    )
