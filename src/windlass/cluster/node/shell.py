"""The few commands that a simulated container knows, so that `kubectl exec` has something to show."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.aio import Clock
    from windlass.apiserver.kubelet import Console

_NOT_FOUND: Final = 127
_MISUSED: Final = 2


@dataclass(frozen=True)
class Shell:
    """Runs commands in a simulated container: `files` are those that are mounted, by their paths."""

    host: str
    clock: Clock
    environment: Mapping[str, str]
    files: Mapping[str, bytes]

    async def run(self, argv: Sequence[str], console: Console, *, stdin: bool = False) -> int:
        """Run a command; returns its exit code."""
        name, *rest = argv or ("sh",)
        match name.rpartition("/")[2]:
            case "sh" | "bash":
                return await self._script(rest, console, stdin=stdin)
            case "cat":
                return await self._cat(rest, console, stdin=stdin)
            case "sleep":
                return await self._sleep(rest, console)
            case "exit" | "true" | "false" as known:
                return _ended(known, rest)
            case "echo" | "env" | "hostname" | "date" as known:
                await console.write(self._told(known, rest).encode())
                return 0
        await console.write(f"sh: {name}: not found\n".encode(), error=True)
        return _NOT_FOUND

    def _told(self, name: str, rest: Sequence[str]) -> str:
        match name:
            case "echo":
                return (" ".join(rest[1:]) if rest[:1] == ["-n"] else " ".join(rest) + "\n") if rest else "\n"
            case "env":
                return "".join(f"{key}={value}\n" for key, value in self.environment.items())
            case "hostname":
                return f"{self.host}\n"
            case _:
                return f"{self.clock.now():%a %b %d %H:%M:%S UTC %Y}\n"

    async def _script(self, rest: Sequence[str], console: Console, *, stdin: bool) -> int:
        """`sh -c` of one command after the other, or what is typed, line by line."""
        if rest[:1] == ["-c"] and len(rest) > 1:
            code = 0
            for part in rest[1].replace("\n", ";").split(";"):
                if not part.strip():
                    continue
                code = await self._line(part, console)
                if part.split()[0] == "exit":
                    break
            return code
        return await self._typed(console) if stdin else 0

    async def _typed(self, console: Console) -> int:
        """What somebody types, until they say `exit` or hang up."""
        code, kept = 0, b""
        while typed := await console.read():
            *lines, kept = (kept + typed.replace(b"\r", b"\n")).split(b"\n")
            for line in filter(None, (each.decode(errors="replace").strip() for each in lines)):
                code = await self._line(line, console)
                if line.split()[0] == "exit":
                    return code
        return code

    async def _line(self, line: str, console: Console) -> int:
        try:
            words = shlex.split(line)
        except ValueError as error:
            await console.write(f"sh: syntax error: {error}\n".encode(), error=True)
            return _MISUSED
        known = {f"${name}": value for name, value in self.environment.items()}
        return await self.run([known.get(each, each) for each in words], console)

    async def _cat(self, paths: Sequence[str], console: Console, *, stdin: bool) -> int:
        if not paths:
            while stdin and (typed := await console.read()):
                await console.write(typed)
            return 0
        code = 0
        for path in paths:
            content = self.files.get(path)
            if content is None:
                code = 1
                await console.write(
                    f"cat: can't open '{path}': No such file or directory\n".encode(), error=True
                )
            else:
                await console.write(content)
        return code

    async def _sleep(self, rest: Sequence[str], console: Console) -> int:
        try:
            delay = timedelta(seconds=float(rest[0]))
        except (IndexError, ValueError, OverflowError):
            await console.write(b"sleep: missing or invalid time\n", error=True)
            return 1
        await self.clock.sleep(delay)
        return 0


def _ended(name: str, rest: Sequence[str]) -> int:
    if name == "exit" and rest and rest[0].isdecimal():
        return int(rest[0])
    return int(name == "false")
