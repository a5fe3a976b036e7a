from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from windlass.aio import ManualClock
from windlass.client.exec_plugin import API_VERSIONS, ExecPlugin, InteractiveMode
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Issue = Callable[..., tuple[bytes, bytes]]

V1, V1BETA1 = API_VERSIONS


class Program:
    """A plugin that a test writes: it prints a file, and keeps a line for each of its runs."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "login"
        self._output, self._calls = folder / "output", folder / "calls"
        self.does("")
        self.prints(token="one")

    def does(self, script: str) -> None:
        """Run shell commands before the output is printed."""
        self.path.write_text(f'#!/bin/sh\necho run >> "{self._calls}"\n{script}\ncat "{self._output}"\n')
        self.path.chmod(0o755)

    def prints(self, *, version: str = V1, kind: str = "ExecCredential", **status: object) -> None:
        self.prints_text(json.dumps({"apiVersion": version, "kind": kind, "status": status}))

    def prints_text(self, text: str) -> None:
        self._output.write_text(text)

    @property
    def runs(self) -> int:
        return len(self._calls.read_text().splitlines()) if self._calls.exists() else 0


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def plugin(program: Program) -> ExecPlugin:
    return ExecPlugin(
        command=str(program.path), api_version=V1, mode=InteractiveMode.NEVER, where='config: user "alice"'
    )


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def token(plugin: ExecPlugin, clock: ManualClock) -> str | None:
    return (await plugin.open(clock).identity()).authorization


@pytest.mark.parametrize("version", API_VERSIONS)
async def test_a_plugin_gives_a_token(
    plugin: ExecPlugin, program: Program, clock: ManualClock, version: str
) -> None:
    program.prints(token="abc", version=version)
    assert await token(replace(plugin, api_version=version), clock) == "Bearer abc"


async def test_a_plugin_gives_a_client_certificate(
    plugin: ExecPlugin, program: Program, issue: Issue
) -> None:
    chain, key = (data.decode() for data in issue("alice"))
    program.prints(clientCertificateData=chain, clientKeyData=key)
    certificate = (await plugin.open(ManualClock()).identity()).certificate
    assert certificate is not None
    assert certificate.chain == chain.encode()


async def test_twenty_requests_at_once_share_one_run(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    source = plugin.open(clock)
    identities = await asyncio.gather(*(source.identity() for _ in range(20)))
    assert program.runs == 1
    assert all(identity is identities[0] for identity in identities)


async def test_twenty_requests_at_once_share_one_failure(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    program.does("exit 3")
    source = plugin.open(clock)
    outcomes = await asyncio.gather(*(source.identity() for _ in range(20)), return_exceptions=True)
    assert program.runs == 1
    assert all(isinstance(outcome, ConfigError) for outcome in outcomes)


async def test_a_failure_is_not_kept(plugin: ExecPlugin, program: Program, clock: ManualClock) -> None:
    source = plugin.open(clock)
    program.does("exit 3")
    with pytest.raises(ConfigError):
        await source.identity()
    program.does("")
    assert (await source.identity()).authorization == "Bearer one"


async def test_a_credential_is_kept_until_it_expires(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    source = plugin.open(clock)
    program.prints(token="one", expirationTimestamp="2026-01-01T01:00:00Z")
    first = await source.identity()
    program.prints(token="two", expirationTimestamp="2026-01-01T03:00:00+01:00")
    await clock.advance(timedelta(minutes=59))
    assert await source.identity() is first
    await clock.advance(timedelta(minutes=1))
    assert (await source.identity()).authorization == "Bearer two"
    assert program.runs == 2


async def test_a_credential_without_an_expiry_is_kept(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    source = plugin.open(clock)
    await source.identity()
    await clock.advance(timedelta(days=365))
    await source.identity()
    assert program.runs == 1


async def test_a_refused_credential_is_renewed_once_for_all(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    source = plugin.open(clock)
    refused = await source.identity()
    program.prints(token="two")
    assert await asyncio.gather(*(source.renew(refused) for _ in range(20))) == [True] * 20
    assert (await source.identity()).authorization == "Bearer two"
    assert program.runs == 2


async def test_a_plugin_that_insists_on_a_refused_token_gives_nothing_to_try(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    source = plugin.open(clock)
    refused = await source.identity()
    assert not await source.renew(refused)
    assert program.runs == 2


async def test_a_plugin_gets_its_arguments_and_environment(
    plugin: ExecPlugin, program: Program, clock: ManualClock, tmp_path: Path
) -> None:
    program.does(f'echo "$1 $REGION $GIVEN $KUBERNETES_EXEC_INFO" > "{tmp_path}/got"')
    told = replace(
        plugin,
        args=("--now",),
        env={"REGION": "north"},
        environment={"GIVEN": "yes", "REGION": "south", "PATH": os.environ["PATH"]},
        cluster={"server": "https://h", "config": {"a": 1}},
    )
    await token(told, clock)
    first, region, given, info = (tmp_path / "got").read_text().strip().split(" ", 3)
    assert (first, region, given) == ("--now", "north", "yes")
    assert json.loads(info) == {
        "apiVersion": V1,
        "kind": "ExecCredential",
        "spec": {"interactive": False, "cluster": {"server": "https://h", "config": {"a": 1}}},
    }


def test_a_plugin_is_told_about_the_cluster_only_when_it_asked(plugin: ExecPlugin) -> None:
    assert json.loads(plugin.info(interactive=True))["spec"] == {"interactive": True}


async def test_a_command_is_looked_for_on_the_path(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    path = f"{program.path.parent}{os.pathsep}{os.environ['PATH']}"
    assert await token(replace(plugin, command="login", environment={"PATH": path}), clock) == "Bearer one"


async def test_a_missing_command_shows_how_to_install_it(plugin: ExecPlugin, clock: ManualClock) -> None:
    missing = replace(plugin, command="no-such-login", install_hint="brew install login")
    with pytest.raises(
        ConfigError, match=r'"alice": the exec plugin no-such-login was not found.*\nbrew install'
    ):
        await token(missing, clock)
    with pytest.raises(ConfigError, match=r"was not found, or may not be executed; install it"):
        await token(replace(missing, install_hint=""), clock)


async def test_a_file_that_is_no_program_is_refused(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    program.path.write_text("hello")
    # asyncio says that it is no program; uvloop gives it to a shell, which says so.
    with pytest.raises(ConfigError, match=r"cannot be started|failed with exit code 127"):
        await token(plugin, clock)
    program.path.chmod(0o644)
    with pytest.raises(ConfigError, match="may not be executed"):
        await token(plugin, clock)


async def test_a_failing_plugin_shows_what_it_said(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    program.does("echo 'please log in first' >&2; exit 3")
    with pytest.raises(ConfigError, match=r"failed with exit code 3: please log in first$"):
        await token(plugin, clock)
    program.does("exit 4")
    with pytest.raises(ConfigError, match=r"failed with exit code 4 and said nothing; run it by hand"):
        await token(plugin, clock)


async def test_a_plugin_that_hangs_is_killed(
    plugin: ExecPlugin, program: Program, clock: ManualClock
) -> None:
    program.does("exec sleep 600")
    with pytest.raises(ConfigError, match=r"did not finish within 0.05 s; run it by hand"):
        await token(replace(plugin, timeout=timedelta(milliseconds=50)), clock)


@pytest.mark.parametrize(
    "script",
    ["sleep 600 & sleep 600", "sleep 600 & exit", "sleep 600"],
    ids=["its child waits too", "only its child waits", "it waits for a child in the foreground"],
)
async def test_a_plugin_that_hangs_is_killed_with_its_children(
    plugin: ExecPlugin, program: Program, clock: ManualClock, tmp_path: Path, script: str
) -> None:
    os.mkfifo(tmp_path / "alive")
    alive = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    program.does(f'exec 3> "{tmp_path}/alive"\n{script}')
    with pytest.raises(ConfigError, match=r"did not finish within 0.3 s"):
        await token(replace(plugin, timeout=timedelta(milliseconds=300)), clock)
    os.set_blocking(alive, True)
    assert await asyncio.to_thread(os.read, alive, 1) == b"", "nobody holds the other end any more"
    os.close(alive)


@pytest.mark.skipif(shutil.which("setsid") is None, reason="needs setsid")
async def test_a_grandchild_that_escapes_does_not_keep_the_request_waiting(
    plugin: ExecPlugin, program: Program, clock: ManualClock, tmp_path: Path
) -> None:
    program.does(f"setsid sh -c 'echo $$ > \"{tmp_path}/escaped\"; exec sleep 600' & sleep 600")
    try:
        with pytest.raises(ConfigError, match=r"did not finish within 0.3 s"):
            await token(replace(plugin, timeout=timedelta(milliseconds=300)), clock)
    finally:
        os.kill(int((tmp_path / "escaped").read_text()), signal.SIGKILL)


@pytest.mark.parametrize("cancellations", [1, 3])
async def test_cancelling_a_request_kills_the_plugin_and_lets_the_next_one_run_it(
    plugin: ExecPlugin, program: Program, clock: ManualClock, tmp_path: Path, cancellations: int
) -> None:
    os.mkfifo(tmp_path / "started")
    program.does(f'echo $$ > "{tmp_path}/started"\nexec sleep 600')
    source = plugin.open(clock)
    request = asyncio.create_task(source.identity())
    pid = int(await asyncio.to_thread((tmp_path / "started").read_text))
    for _ in range(cancellations):
        request.cancel()
        await asyncio.wait([request], timeout=0)
    with pytest.raises(asyncio.CancelledError):
        await request
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    program.does("")
    assert (await source.identity()).authorization == "Bearer one"


class Terminal(StringIO):
    """A standard input that a person sits at."""

    def isatty(self) -> bool:
        return True


async def test_a_plugin_that_must_ask_a_person_needs_a_terminal(
    plugin: ExecPlugin, program: Program, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    with pytest.raises(ConfigError, match=r"interactiveMode: Always.*not a terminal"):
        await token(replace(plugin, mode=InteractiveMode.ALWAYS), clock)
    assert program.runs == 0


@pytest.mark.parametrize(
    ("mode", "stdin", "talks"),
    [
        (InteractiveMode.NEVER, Terminal, False),
        (InteractiveMode.IF_AVAILABLE, StringIO, False),
        (InteractiveMode.IF_AVAILABLE, Terminal, True),
        (InteractiveMode.ALWAYS, Terminal, True),
    ],
)
async def test_a_plugin_talks_to_a_person_when_it_may_and_there_is_one(
    *,
    plugin: ExecPlugin,
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    mode: InteractiveMode,
    stdin: type[StringIO],
    talks: bool,
) -> None:
    monkeypatch.setattr("sys.stdin", stdin())
    info = program.path.parent / "info"
    program.does(f'echo "who are you?" >&2; echo "$KUBERNETES_EXEC_INFO" > "{info}"')
    assert await token(replace(plugin, mode=mode), ManualClock()) == "Bearer one"
    assert ("who are you?" in capfd.readouterr().err) is talks
    assert json.loads(info.read_text())["spec"]["interactive"] is talks


async def test_what_a_person_has_seen_is_not_repeated_in_the_error(
    plugin: ExecPlugin, program: Program, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal())
    program.does("exit 3")
    with pytest.raises(ConfigError, match="failed with exit code 3, see what it said above"):
        await token(replace(plugin, mode=InteractiveMode.IF_AVAILABLE), clock)


def expiring(moment: str) -> dict[str, Any]:
    return {"token": "s3cret", "expirationTimestamp": moment}


PRINTED: dict[str, tuple[dict[str, Any] | str, str]] = {
    "junk": ("s3cret-token", "printed 12 bytes that are not JSON"),
    "endless nesting": ("[" * 100_000, "printed 100000 bytes that are not JSON"),
    "nothing": ("", "printed 0 bytes that are not JSON"),
    "a list": ("[]", "printed kind list, not ExecCredential"),
    "wrong kind": ({"kind": "Pod"}, "printed kind Pod, not ExecCredential"),
    "wrong version": ({"version": V1BETA1}, f"apiVersion {V1BETA1}, but .* asks for {V1};"),
    "no status": (json.dumps({"kind": "ExecCredential", "apiVersion": V1}), "without a status"),
    "empty status": ({}, "neither a token nor a client certificate"),
    "token is a number": ({"token": 7}, "token is not a string"),
    "token with a line break": ({"token": "s3cret\n"}, "line break"),
    "certificate alone": ({"clientCertificateData": "x"}, "only one of"),
    "not PEM": ({"clientCertificateData": "x", "clientKeyData": "y"}, "not in PEM form"),
    "expired": (expiring("2025-12-31T23:00:00Z"), "expired on 2025-12-31 23:00"),
    "expiry is no time": (expiring("soon"), "'soon', which is not RFC 3339"),
    "expiry without a zone": (expiring("2027-01-01T00:00:00"), "no time zone"),
}


@pytest.mark.parametrize(("printed", "said"), PRINTED.values(), ids=PRINTED)
async def test_what_a_plugin_should_not_print_is_refused_without_being_shown(
    plugin: ExecPlugin, program: Program, clock: ManualClock, printed: dict[str, Any] | str, said: str
) -> None:
    if isinstance(printed, str):
        program.prints_text(printed)
    else:
        program.prints(**printed)
    with pytest.raises(ConfigError, match=said) as refusal:
        await token(plugin, clock)
    assert str(refusal.value).startswith(f'config: user "alice": the exec plugin {program.path}')
    assert "s3cret" not in str(refusal.value)


async def test_a_certificate_that_has_expired_is_refused(
    plugin: ExecPlugin, program: Program, issue: Issue
) -> None:
    chain, key = (data.decode() for data in issue("alice", lifetime=timedelta(days=-1)))
    program.prints(clientCertificateData=chain, clientKeyData=key)
    late = ManualClock()
    await late.advance(timedelta(days=3650))
    with pytest.raises(ConfigError, match="the client certificate expired on"):
        await token(plugin, late)
