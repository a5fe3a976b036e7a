"""Write the table of defaults anew from the answers of a real API server."""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from difflib import unified_diff
from pathlib import Path
from typing import Any

import orjson

from windlass.client import Client, ClientOptions, connect, load_config
from windlass.testing import ControlPlane

from .derive import Findings
from .exception import ALIKE
from .observe import sights
from .survey import Answer, answers

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "src" / "windlass" / "apiserver" / "defaulting" / "defaults.json"


@asynccontextmanager
async def server(kubeconfig: str | None) -> AsyncIterator[Client]:
    """A client of the server to ask: the given one, or one that is started for it."""
    options = ClientOptions(
        on_warning=lambda _request, _warning: None
    )  # much that is asked for is deprecated
    if kubeconfig:
        async with connect(load_config(kubeconfig), options) as client:
            yield client
        return
    async with ControlPlane() as access, connect(load_config(access.kubeconfig), options) as client:
        yield client


async def survey(kubeconfig: str | None) -> list[Answer]:
    """All answers."""
    async with server(kubeconfig) as client:
        return await answers(client)


def table(told: list[Answer]) -> bytes:
    """The table that follows from the answers, or the end of the program with what is wrong."""
    refused = [
        f"{each.question.about}: {each.refusal}" for each in told if each.question.needed and not each.body
    ]
    findings = Findings(
        sight for each in told if each.body for sight in sights(each.shape, each.question.body, each.body)
    )
    problems = [*refused, *findings.problems()]
    if problems:
        sys.exit("\n".join(problems))
    rows = findings.table()
    for alike, known in ALIKE.items():
        rows[alike] = rows[known]
    lines = (f'"{name}":{_compact(rows[name])}' for name in sorted(rows))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _compact(row: dict[str, Any]) -> str:
    return orjson.dumps(row, option=orjson.OPT_SORT_KEYS).decode()


def difference(written: bytes, found: bytes) -> str:
    """The rows of the table that are not what the server says, and what it says."""
    rows = unified_diff(written.decode().splitlines(), found.decode().splitlines(), lineterm="", n=0)
    return "\n".join(row for row in rows if row[:1] in "+-")


def main() -> None:
    """Write, or check."""
    parser = argparse.ArgumentParser(prog="probe_defaults.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the table would change")
    parser.add_argument("--kubeconfig", help="ask this server instead of starting one")
    parser.add_argument(
        "--answers", type=Path, help="also write what was sent and answered, a JSON line each"
    )
    arguments = parser.parse_args()
    told = asyncio.run(survey(arguments.kubeconfig))
    if arguments.answers:
        pairs = ([each.question.body, each.body] for each in told if each.body)
        arguments.answers.write_bytes(b"\n".join(orjson.dumps(pair) for pair in pairs))
    found = table(told)
    if arguments.check:
        sys.exit(difference(TABLE.read_bytes(), found) or None)
    TABLE.write_bytes(found)


main()
