"""kubectl, or another tool, on two servers at once: what it prints against the one is what it prints against the other.

A test gives each command once. It runs against both servers, in a namespace of the same name, and its exit
code, output and complaints must be equal once what no two servers share is taken out: uids, versions, times,
ages, allocated addresses, the servers' own addresses.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import os
import re
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from polling import until
from servers import shared_namespace
from windlass.errors import ToolError
from windlass.tools import find_kubectl

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from pathlib import Path

    from windlass.testing import Access

_PATIENCE = 40.0
_DIFFERENT = [
    (re.compile(r"(patch: Invalid value: )\"(\\.|[^\"\\])*\""), r"\1<object>"),  # in an order of Go's
    (re.compile(r"https://127\.0\.0\.1:\d+"), "<server>"),
    (re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<uid>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| [+-]\d{4})"), "<time>"),
    (re.compile(r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}"), "<time>"),
    (re.compile(r"[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"), "<time>"),
    (re.compile(r"\bmodifiedAt=\d+"), "modifiedAt=<time>"),  # a label of helm
    (re.compile(r"((resourceVersion|Resource Version)\\?\"?: *)\\?\"?\d+\\?\"?"), r'\1"<version>"'),
    (re.compile(r"(?<=[\s(])(\d+[smhd])+(?=[\s)])"), "<age>"),
    (re.compile(r"\b10\.\d+\.\d+\.\d+\b"), "<address>"),
    (re.compile(r"\b3[0-2]\d{3}\b"), "30000"),
    (re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+"), "<token>"),
    (re.compile(r"<home>/(LIVE|MERGED|kubectl-edit)-\w+"), r"<home>/\1"),
    # A program that ends cuts its own watches, and sometimes sees them end before it has ended.
    (re.compile(r"^I\d{4} .* reflector\.go:\d+\] .*context canceled.*\n", re.MULTILINE), ""),
    (re.compile(r"^([WE])\d{4} [\d:.]+ +\d+ ", re.MULTILINE), r"\1 "),
    (re.compile(r"(?<=\S) {2,}"), "  "),  # columns are as wide as what stands in them
]


@dataclass(frozen=True)
class Said:
    """What a tool said: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str = ""

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.out.splitlines()


class Tool:
    """A program in one namespace of one server, at work in a folder of its own, which is its home too."""

    def __init__(self, program: Path, access: Access, namespace: str, home: Path) -> None:
        home.mkdir(exist_ok=True)  # tools that work on one server share it
        self.home = home
        self.name = program.name
        self._program = program
        kubeconfig = home / "kubeconfig"
        config = yaml.safe_load(access.kubeconfig.read_text(encoding="utf-8"))
        config["contexts"][0]["context"]["namespace"] = namespace
        kubeconfig.write_text(yaml.safe_dump(config), encoding="utf-8")
        self._environment = {
            "HOME": str(home),
            "TMPDIR": str(home),
            "KUBECONFIG": str(kubeconfig),
            "PATH": os.environ.get("PATH", os.defpath),
        }

    async def start(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        stdin: int = asyncio.subprocess.DEVNULL,
        stdout: int = asyncio.subprocess.PIPE,
    ) -> Process:
        """Start a command."""
        return await asyncio.create_subprocess_exec(
            self._program,
            *arguments,
            cwd=self.home,
            env={**self._environment, **env},
            stdin=stdin,
            stdout=stdout,
            stderr=asyncio.subprocess.PIPE,
        )

    async def run(self, arguments: Sequence[str], env: Mapping[str, str], typed: bytes | None = None) -> Said:
        """Run a command to its end, and type something if anything is given."""
        stdin = asyncio.subprocess.DEVNULL if typed is None else asyncio.subprocess.PIPE
        process = await self.start(arguments, env, stdin)
        try:
            async with asyncio.timeout(_PATIENCE):
                out, err = await process.communicate(typed)
        finally:
            await end(process)
        return Said(process.returncode or 0, out.decode(), err.decode())

    def comparable(self, text: str) -> str:
        """A text without what no two servers share."""
        text = text.replace(str(self.home), "<home>")
        for pattern, substitute in _DIFFERENT:
            text = pattern.sub(substitute, text)
        return "\n".join(line.rstrip() for line in text.split("\n"))


class Both:
    """A tool on the embedded and on the real server: each command once, with one answer."""

    def __init__(self, embedded: Tool, real: Tool, namespace: str) -> None:
        self._servers = (embedded, real)
        self._name = real.name
        self.namespace = namespace

    def write(self, name: str, *manifests: Mapping[str, Any] | str) -> None:
        """Put manifests into a file that `-f` finds."""
        texts = [each if isinstance(each, str) else yaml.safe_dump(dict(each)) for each in manifests]
        for server in self._servers:
            (server.home / name).write_text("---\n".join(texts), encoding="utf-8")

    def write_each(self, name: str, manifests: Sequence[Mapping[str, Any]]) -> None:
        """Put one manifest for each server into a file that `-f` finds: the embedded one's first."""
        for server, manifest in zip(self._servers, manifests, strict=True):
            (server.home / name).write_text(yaml.safe_dump(dict(manifest)), encoding="utf-8")

    def read(self, name: str) -> str:
        """What is in a file that kubectl was made to write, which must be the same on both."""
        texts = [each.comparable((each.home / name).read_text(encoding="utf-8")) for each in self._servers]
        _assert_equal(name, *(Said(0, text) for text in texts))
        return texts[0]

    async def run(self, *arguments: str, code: int = 0, **env: str) -> Said:
        """Run a command on both; they must say the same. Returns what was said, made comparable."""
        return self._agreed(" ".join(arguments), await self.ask(*arguments, code=code, **env))

    async def insist(self, *arguments: str) -> Said:
        """Run a command until it ends well on both, where the real server takes its time."""
        answers = await until(
            lambda: self.ask(*arguments, code=None),
            lambda answers: all(said.code == 0 for said in answers),
        )
        return self._agreed(" ".join(arguments), answers)

    async def get(self, *arguments: str) -> Any:
        """The object or list that `get` finds, with the fields that everybody manages; it must be the same.

        Those who manage fields come in the order of their times, which are a matter of luck within a second,
        and so are sorted here.
        """
        answers = await self.ask("get", *arguments, "-o", "json", "--show-managed-fields")
        for number, said in enumerate(answers):
            found = json.loads(said.out)
            for obj in found.get("items", [found]):
                obj["metadata"].get("managedFields", []).sort(key=_manager)
            answers[number] = Said(said.code, json.dumps(found, indent=1), said.err)
        return json.loads(self._agreed(f"get {' '.join(arguments)}", answers).out)

    async def ask(self, *arguments: str, code: int | None = 0, **env: str) -> list[Said]:
        """Run a command on both, and return what each said: the embedded one first, then the real one."""
        answers = await asyncio.gather(*(each.run(arguments, env) for each in self._servers))
        real = answers[1]
        assert code in (real.code, None), f"on the real server, {self._name} {' '.join(arguments)}: {real}"
        return answers

    def _agreed(self, command: str, answers: Sequence[Said]) -> Said:
        embedded, real = (
            Said(said.code, server.comparable(said.out), server.comparable(said.err))
            for server, said in zip(self._servers, answers, strict=True)
        )
        _assert_equal(f"{self._name} {command}", embedded, real)
        return embedded

    @asynccontextmanager
    async def started(self, *arguments: str) -> AsyncIterator[Started]:
        """A command that goes on for the length of the block, on both."""
        processes: list[Process] = []
        try:
            processes += [await server.start(arguments, {}) for server in self._servers]
            yield Started(self._servers, processes, " ".join(arguments))
        finally:
            for process in processes:
                await end(process)


class Started:
    """A command that is running on both servers."""

    def __init__(self, servers: Sequence[Tool], processes: Sequence[Process], command: str) -> None:
        self._servers = servers
        self._processes = processes
        self._command = command

    async def line(self) -> str:
        """The next line that both print, which must be the same."""
        async with asyncio.timeout(_PATIENCE):
            lines = [(await _stream(each.stdout).readline()).decode() for each in self._processes]
        return self._agreed([0, 0], lines).out.rstrip("\n")

    async def until_told(self, words: str) -> None:
        """Wait until both have told of something; with `-v=6`, kubectl tells of its requests."""
        async with asyncio.timeout(_PATIENCE):
            for process in self._processes:
                while words.encode() not in (told := await _stream(process.stderr).readline()):
                    assert told, f"kubectl ended before it told of {words}"

    async def end(self) -> Said:
        """What both print before they end well of themselves, which must be the same."""
        async with asyncio.timeout(_PATIENCE):
            outs = [(await each.communicate())[0].decode() for each in self._processes]
        said = self._agreed([each.returncode or 0 for each in self._processes], outs)
        assert said.code == 0, f"kubectl {self._command}: {said}"
        return said

    def _agreed(self, codes: Sequence[int], outs: Sequence[str]) -> Said:
        embedded, real = (
            Said(code, server.comparable(out))
            for code, server, out in zip(codes, self._servers, outs, strict=True)
        )
        _assert_equal(f"kubectl {self._command}", embedded, real)
        return embedded


def _assert_equal(command: str, embedded: Said, real: Said) -> None:
    if embedded == real:
        return
    difference: list[str] = []
    for ours, theirs in ((embedded.out, real.out), (embedded.err, real.err)):
        difference += difflib.unified_diff(
            theirs.splitlines(), ours.splitlines(), "real", "embedded", lineterm=""
        )
    codes = f"exit codes: real {real.code}, embedded {embedded.code}"
    pytest.fail("\n".join([command, codes, *difference]), pytrace=False)


def _manager(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    return entry["manager"], entry["operation"], entry.get("subresource", "")


def _stream(stream: asyncio.StreamReader | None) -> asyncio.StreamReader:
    assert stream is not None
    return stream


async def end(process: Process) -> None:
    """End a process if it has not ended, and take leave of it."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    await process.communicate()


@pytest.fixture
def both_fixture(control_plane: Access, embedded: Access, tmp_path: Path) -> Iterator[Both]:
    """kubectl on both servers, in a namespace that is this test's alone."""
    try:
        program = find_kubectl()
    except ToolError as error:
        pytest.skip(f"needs kubectl: {error}")
    with shared_namespace(embedded, control_plane) as namespace:
        yield Both(
            Tool(program, embedded, namespace, tmp_path / "embedded"),
            Tool(program, control_plane, namespace, tmp_path / "real"),
            namespace,
        )
