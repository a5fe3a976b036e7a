"""What the embedded API server does not do: each limit with the behaviours of the contract that show it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[1] / "contract" / "limits.toml"


@dataclass(frozen=True)
class Limit:
    """One difference from the real server, and the tests that pass there and fail on the embedded one."""

    says: str
    tests: tuple[str, ...]


def limits() -> list[Limit]:
    """Every limit."""
    given = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [Limit(each["says"], tuple(each["tests"])) for each in given.get("limit", ())]


def by_test() -> dict[str, str]:
    """The limit that each test shows, by the test's name within the contract folder."""
    return {test: limit.says for limit in limits() for test in limit.tests}
