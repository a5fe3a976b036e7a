"""The faults that another process asks for, command by command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest

import guided
import readme

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/faults.md"

pytestmark = pytest.mark.timeout(120)


async def test_faults_are_taken_told_and_ended(tmp_path: Path) -> None:
    (faults,) = readme.blocks("json", PAGE)
    (tmp_path / "faults.json").write_text(faults, encoding="utf-8")
    replace, get, delete = (command for command, _ in readme.dialogue(PAGE))
    typed = ["export KUBECONFIG=$PWD/kubeconfig", replace, get, delete, get]

    async with guided.cluster("windlass up --bare --kubeconfig kubeconfig", tmp_path):
        _, _, told, _, ended = await guided.typed(typed, tmp_path)

    assert orjson.loads(told)["faults"] == orjson.loads(faults)["faults"]
    assert orjson.loads(ended)["faults"] == []
