from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from windlass.apiserver.builtin import kinds
from windlass.apiserver.kind import traits_of

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def traits() -> Callable[[str, str], Any]:
    """The particulars of a kind in a version, `("apps/v1", "DaemonSet")`."""

    def find(version: str, kind: str) -> Any:
        return traits_of(
            next(each for each in kinds() if (each.kind.api_version, each.kind.name) == (version, kind))
        )

    return find
