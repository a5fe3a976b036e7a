"""A hundred kills: `windlass up --data` loses nothing that it acknowledged, and its watches go on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from killed import Trial

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 100
UP = "from windlass.cli import main; main()"


@pytest.mark.timeout(1200)
async def test_what_was_acknowledged_survives_a_hundred_kills_under_load(tmp_path: Path) -> None:
    command = [sys.executable, "-c", UP, "up", "--bare", "--data", str(tmp_path / "data")]
    trial = Trial(command, tmp_path, seed=2026)

    for _ in range(KILLS):
        await trial.live()
        assert trial.ledger.findings == []
    await trial.end()

    assert trial.ledger.findings == []
    assert trial.ledger.acknowledged > 20 * KILLS
