"""The tests of the guide to testing, and the README's, on a real control plane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import guided
import readme
from windlass.tools import find_control_plane

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "docs/guides/testing.md"

pytestmark = pytest.mark.timeout(240)


async def test_what_is_shown_passes_on_a_real_control_plane_with_its_controllers(tmp_path: Path) -> None:
    operator, *tests = readme.blocks("python", PAGE)
    (settings,) = readme.blocks("ini", PAGE)
    (tmp_path / "page.py").write_text(operator, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(settings, encoding="utf-8")
    for number, test in enumerate(tests):
        (tmp_path / f"test_{number}.py").write_text(test, encoding="utf-8")
    readme.write_files(tmp_path, "README.md", "shop.py", "shop_operator.py", "test_shop.py")
    install, test = (command for command, _ in readme.dialogue(PAGE))
    tools = find_control_plane()
    programs = (tools.etcd, tools.kube_apiserver, tools.kube_controller_manager, tools.kube_scheduler)

    _, said = await guided.typed(
        [install, f"{test} --control-plane-controllers"], tmp_path, *filter(None, programs)
    )

    assert "4 passed, 1 skipped" in said  # a clock that stands still is nothing for a real control plane
