"""Building a program from its published Go module, in a module of ours that does nothing but require it.

The `go` tool verifies the source against its checksum database and against the program's own `go.sum`, which
comes along; the program's `go.mod` decides the versions of everything below it, as in the official build.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windlass.tools.process import Child, run
from windlass.tools.program import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.tools.program import Platform, Program
    from windlass.tools.progress import Progress

_LOG_LINES = 15


@dataclass(frozen=True, kw_only=True, slots=True)
class Module:
    """A Go module in the module cache: its folder, its parsed `go.mod`, and what is known of its origin."""

    folder: Path
    go_mod: Mapping[str, Any]
    info: Mapping[str, Any]


class GoTool:
    """The `go` tool, run in one folder for one program."""

    def __init__(self, program: Program, work: Path, env: Mapping[str, str], progress: Progress) -> None:
        self._program = program
        self._work = work
        self._env = env
        self._progress = progress
        self._go = shutil.which("go", path=env.get("PATH", ""))

    def build(self, platform: Platform) -> Path:
        """Build the program, and return its file in the folder.

        Raises:
            UnavailableError: there is no `go`, or it failed; the message shows the end of what it printed.
        """
        if self._go is None:
            raise UnavailableError("there is no `go` on PATH to build it with")
        source = self._program.source
        self._progress.say(
            f"{self._program}: fetching the Go module {source.module} v{self._program.version}"
        )
        module = self._module()
        (self._work / "go.mod").write_text(build_module(self._program, module.go_mod), encoding="utf-8")
        sums = module.folder / "go.sum"
        (self._work / "go.sum").write_bytes(sums.read_bytes() if sums.exists() else b"")
        self._progress.say(f"{self._program}: building {source.package} with {self._go}")
        binary = self._work / self._program.name
        self._run(
            "build", "-mod=mod", "-trimpath", "-buildvcs=false",
            f"-ldflags={linker_flags(self._program, module.info)}", "-o", str(binary), source.package,
            target=platform,
        )  # fmt: skip
        return binary

    def _module(self) -> Module:
        # Our own go.mod comes first, or `go` would take the one of a folder above the cache.
        (self._work / "go.mod").write_text(f"module {_module_name(self._program)}\n", encoding="utf-8")
        wanted = f"{self._program.source.module}@v{self._program.version}"
        place = json.loads(self._run("mod", "download", "-json", wanted))
        go_mod = json.loads(self._run("mod", "edit", "-json", place["GoMod"]))
        info = Path(place.get("Info", ""))
        return Module(
            folder=Path(place["Dir"]),
            go_mod=go_mod,
            info=json.loads(info.read_text(encoding="utf-8")) if info.is_file() else {},
        )

    def _run(self, *arguments: str, target: Platform | None = None) -> str:
        """Run `go` and return what it printed."""
        temporary = self._work / "tmp"
        temporary.mkdir(exist_ok=True)
        settings = {"CGO_ENABLED": "0", "GO111MODULE": "on", "GOWORK": "off", "GOTMPDIR": str(temporary)}
        if target:
            settings |= {"GOOS": target.os, "GOARCH": target.arch}
        child = Child(
            argv=(str(self._go), *arguments),
            env={**self._env, **settings},
            cwd=self._work,
            output=self._work / "go.out",
            log=self._work / "go.log",
        )

        def alive() -> None:
            words = child.last_words()
            self._progress.still(f"{self._program}: still at it{f' ({words})' if words else ''}")

        code = run(child, alive, pulse=self._progress.beat)
        printed = child.output.read_text(encoding="utf-8", errors="replace")
        if code != 0:
            said = child.last_words(_LOG_LINES) or printed.strip()
            raise UnavailableError(f"`go {arguments[0]}` failed with exit code {code}:\n{said}")
        return printed


def build_module(program: Program, go_mod: Mapping[str, Any]) -> str:
    """The `go.mod` to build a program in.

    Kubernetes keeps some of its modules in its own source tree and replaces them by folders there. They are
    published too, under the version of the staging modules; this is what others must use.
    """
    source = program.source
    lines = [
        f"module {_module_name(program)}",
        f"go {go_mod['Go']}",
        f"require {source.module} v{program.version}",
    ]
    for replacement in go_mod.get("Replace") or ():
        if source.staging and replacement["New"]["Path"].startswith("./staging/"):
            staged = replacement["Old"]["Path"]
            lines.append(f"replace {staged} => {staged} v{source.staging}")
    return "\n\n".join(lines) + "\n"


def linker_flags(program: Program, info: Mapping[str, Any]) -> str:
    """Flags that leave out symbols and debug data, and set the variables that hold the version.

    The date is the one of the release, and the commit is given where the module proxy knows it: two builds of
    one version are alike.
    """
    major, minor = program.version.split(".")[:2]
    facts = {
        "version": program.version,
        "major": major,
        "minor": minor,
        "commit": (info.get("Origin") or {}).get("Hash") or "unknown",
        "date": info.get("Time") or "1970-01-01T00:00:00Z",
    }
    settings = [f"-X {name}={value.format_map(facts)}" for name, value in program.source.variables]
    return " ".join(["-s", "-w", *settings])


def _module_name(program: Program) -> str:
    return f"windlass.invalid/{program.name}"
