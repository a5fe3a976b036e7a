from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.apparmor import profile_of


@pytest.mark.parametrize(
    ("annotation", "profile"),
    [
        ("runtime/default", {"type": "RuntimeDefault"}),
        ("unconfined", {"type": "Unconfined"}),
        ("localhost/mine", {"type": "Localhost", "localhostProfile": "mine"}),
        ("localhost/", None),
        ("localhost/ padded", None),
        (f"localhost/{'x' * 4096}", None),
        ("anything", None),
        (None, None),
    ],
)
def test_an_annotation_names_a_profile(annotation: str | None, profile: dict[str, Any] | None) -> None:
    assert profile_of(annotation) == profile
