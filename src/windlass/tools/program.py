"""What there is to say about a program before looking for it: plain data, no effects."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from windlass.errors import ToolError

if TYPE_CHECKING:
    from pathlib import Path

_GO_ARCH = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_GO_OS = {"win32": "windows"}


class UnavailableError(ToolError):
    """One way to a program is closed; the next one may be open."""


class Origin(StrEnum):
    """Where a program was found."""

    ASSETS = "KUBEBUILDER_ASSETS"
    PATH = "PATH"
    CACHE = "cache"


@dataclass(frozen=True, slots=True)
class Platform:
    """An operating system and a processor, by the names that Go and the release pages use."""

    os: str
    arch: str

    @classmethod
    def current(cls) -> Platform:
        """The platform that this process runs on."""
        import platform  # takes 3 ms, and only an installation asks

        machine = platform.machine().lower()
        return cls(_GO_OS.get(sys.platform, sys.platform), _GO_ARCH.get(machine, machine))


@dataclass(frozen=True, kw_only=True, slots=True)
class Release:
    """Where a program is published, as templates over `{name}`, `{version}`, `{os}`, `{arch}`, `{archive}`.

    `member` is the program's path inside the archive; it is empty when the file is the program itself.
    """

    url: str
    checksums: str
    member: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class GoSource:
    """Where a program's source is published: a Go module, and the package in it to build.

    `staging` is the version under which the modules in the source's own `staging` folder are published.
    `variables` are set by the linker; their values are templates over `{version}`, `{major}`, `{minor}`,
    `{commit}` and `{date}`.
    """

    module: str
    package: str
    staging: str = ""
    variables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Program:
    """A program in one version. `series` is the leading part of the versions that serve as well (`1.36`)."""

    name: str
    version: str
    series: str
    bundle: str
    release: Release
    source: GoSource
    version_arguments: tuple[str, ...] = ("--version",)

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def serves(self, version: str) -> bool:
        """Whether a program of this version can stand in."""
        return version == self.series or version.startswith(f"{self.series}.")

    def fill(self, template: str, platform: Platform) -> str:
        """A template of the release, filled in. etcd is packed with tar for Linux, with zip for the rest."""
        archive = "tar.gz" if platform.os == "linux" else "zip"
        return template.format(
            name=self.name, version=self.version, os=platform.os, arch=platform.arch, archive=archive
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A program, the version that was found of it, the file to run, and where that was."""

    program: Program
    version: str
    path: Path
    origin: Origin
