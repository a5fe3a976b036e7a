"""The garbage collector, at rest while much is made that lives on."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FROZEN_BY_PYTHON = 1000  # some versions freeze a few hundred objects of their own at the start


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Make many objects that live on without the garbage collector looking through them.

    It would do so again and again while they grow in number, which takes longer than making them, and find
    nothing. Freezing and unfreezing then moves them where it keeps what is old; who has frozen something
    else already is left alone.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if gc.get_freeze_count() < _FROZEN_BY_PYTHON:
                gc.freeze()
                gc.unfreeze()
            gc.enable()
