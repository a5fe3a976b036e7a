from pathlib import Path

import pytest

from preview import PreviewController
from preview.adapter import HostsFolder


@pytest.fixture
def hosts(tmp_path: Path) -> HostsFolder:
    """Where names are published."""
    return HostsFolder(tmp_path / "hosts.d")


@pytest.fixture
def controller(hosts: HostsFolder) -> PreviewController:
    """What is tested."""
    return PreviewController(hosts)
