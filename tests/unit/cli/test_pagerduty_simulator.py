"""`windlass pagerduty-simulator`: what it says, serves and refuses."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import ssl
import sys
from typing import TYPE_CHECKING

import aiohttp
from click.testing import CliRunner

from windlass.cli.pagerduty_simulator import pagerduty_simulator
from windlass.pki import authority, serving_certificate

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = "from windlass.cli import main; main()"
HEADERS = {"Authorization": "Token token=secret", "Accept": "application/vnd.pagerduty+json;version=2"}


async def test_it_serves_people_and_a_policy_over_https_until_it_is_told_to_stop(tmp_path: Path) -> None:
    signer = authority("test")
    pair = serving_certificate(signer, ["127.0.0.1"])
    pem = tmp_path / "pem"
    pem.write_text(pair.certificate + pair.key)
    options = ["--port", "0", "--key", "secret", "--certificate", str(pem)]
    command = [sys.executable, "-c", PROGRAM, "pagerduty-simulator", *options]
    running = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    said = (await running.stdout.readuntil(b"removes everything.\n")).decode()
    found = re.search(r"https://127\.0\.0\.1:\d+", said)
    assert found is not None
    trusts = ssl.create_default_context(cadata=signer.certificate)
    async with aiohttp.ClientSession(found.group(), headers=HEADERS) as http:
        async with http.get("/users/P1NKFZC", ssl=trusts) as answer:
            person = (await answer.json())["user"]["name"]
        async with http.get("/escalation_policies", ssl=trusts) as answer:
            policies = [each["name"] for each in (await answer.json())["escalation_policies"]]
    running.send_signal(signal.SIGTERM)
    rest, _ = await running.communicate()

    assert (person, policies) == ("Ada Lovelace", ["Default"])
    assert (rest, running.returncode) == (b"Stopped.\n", 0)


def test_a_port_that_is_taken_is_a_message_and_an_exit_code() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(pagerduty_simulator, ["--port", port, "--empty"])

    assert result.exit_code == 1
    assert f"cannot serve on 127.0.0.1:{port}" in result.output


def test_a_file_that_is_no_certificate_is_a_message_and_an_exit_code(tmp_path: Path) -> None:
    (tmp_path / "pem").write_text("no certificate")

    result = CliRunner().invoke(pagerduty_simulator, ["--certificate", str(tmp_path / "pem")])

    assert result.exit_code == 1
    assert f"cannot use {tmp_path / 'pem'}" in result.output
