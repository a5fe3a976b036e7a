from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.warning.pod_volume import volume_warnings


def items(*paths: str) -> list[dict[str, str]]:
    return [{"key": "k", "path": path} for path in paths]


@pytest.mark.parametrize(
    ("volume", "warnings"),
    [
        ({"emptyDir": {}}, []),
        (
            {"gitRepo": {"repository": "x"}},
            ["spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"],
        ),
        ({"rbd": {}}, ["spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+"]),
        (
            {"ephemeral": {"volumeClaimTemplate": {"spec": {"resources": {"requests": {"storage": "1m"}}}}}},
            [
                (
                    "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: "
                    'fractional byte value "1m" is invalid, must be an integer'
                )
            ],
        ),
        ({"configMap": {"name": "c", "items": items("a", "b", "ab")}}, []),
        (
            {"configMap": {"name": "c", "items": items("a", "a/b")}},
            ['volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a"'],
        ),
        (
            {"secret": {"secretName": "s", "items": items("a/", "a")}},
            ['volume "v" (Secret "s"): overlapping paths: "a" with "a"'],
        ),
        (
            {
                "projected": {
                    "sources": [
                        {"secret": {"name": "s", "items": items("a")}},
                        {"serviceAccountToken": {"path": "a"}},
                        {},
                    ]
                }
            },
            [
                'volume "v" (Projected) has no sources provided',
                (
                    'volume "v" (Projected): overlapping paths: '
                    '"a" (ServiceAccountToken) with "a" (Secret "s")'
                ),
            ],
        ),
    ],
)
def test_a_volume_is_warned_of(volume: dict[str, Any], warnings: list[str]) -> None:
    assert list(volume_warnings([{"name": "v", **volume}], "spec")) == warnings
