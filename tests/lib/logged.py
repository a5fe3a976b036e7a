"""What a test has logged."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

    import pytest


def logged(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """The records of the test's own thread: in another, a control plane that tests share may run."""
    return [each for each in caplog.records if each.thread == threading.get_ident()]
