"""`windlass up --data` loses nothing that it acknowledged, though it is killed under load."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import forgetful
from killed import Trial

UP = "from windlass.cli import main; main()"


@pytest.mark.timeout(180)
async def test_what_was_acknowledged_survives_a_kill_and_watches_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-c", UP, "up", "--bare", "--data", str(tmp_path / "data")]
    trial = Trial(command, tmp_path, seed=1)

    for _ in range(5):
        await trial.live()
        assert trial.ledger.findings == []
    await trial.end()

    assert trial.ledger.findings == []
    assert trial.ledger.acknowledged > 50


@pytest.mark.timeout(180)
async def test_the_comparison_finds_what_a_server_loses_that_answers_before_it_writes(tmp_path: Path) -> None:
    program = Path(forgetful.__file__)
    trial = Trial([sys.executable, str(program), str(tmp_path), "20"], tmp_path, seed=1)

    for _ in range(5):
        if not trial.ledger.findings:
            await trial.live()

    assert any("acknowledged, but there is" in each for each in trial.ledger.findings)
