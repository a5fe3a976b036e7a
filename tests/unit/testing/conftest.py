from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from https_server import Answers, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Answers], Server]]:
    servers: list[Server] = []

    def start(answers: Answers) -> Server:
        servers.append(Server(tmp_path, answers))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
