"""The make targets that people know from other operators."""

from __future__ import annotations

import pytest

from dry_make import make
from windlass._version import __version__


def commands(*words: str) -> list[str]:
    done = make(*words)
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    return [
        line.removeprefix(".venv/bin/") for line in lines if line.startswith((".venv/bin/windlass", "podman"))
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("run", ["windlass demo"]),
        ("run REAL=1", ["windlass tools install control-plane >/dev/null", "windlass demo --real"]),
        ("install run OPERATOR=pagerduty", ["windlass install pagerduty", "windlass run pagerduty"]),
        (
            "deploy OPERATOR=minimart IMG=example.com/op:2",
            ["windlass deploy minimart --image example.com/op:2"],
        ),
        ("deploy OPERATOR=minimart", [f"windlass deploy minimart --image windlass:{__version__}"]),
        ("undeploy OPERATOR=minimart", ["windlass undeploy minimart --ignore-not-found=false"]),
        (
            "uninstall OPERATOR=minimart ignore-not-found=true",
            ["windlass uninstall minimart --ignore-not-found=true"],
        ),
        (
            "docker-build docker-push IMG=example.com/op:2 CONTAINER_TOOL=podman",
            ["podman build --tag example.com/op:2 .", "podman push example.com/op:2"],
        ),
    ],
)
def test_a_target_runs_the_command_of_its_name(words: str, expected: list[str]) -> None:
    assert commands(*words.split()) == expected


@pytest.mark.parametrize("target", ["install", "uninstall", "deploy", "undeploy"])
def test_without_an_operator_it_says_how_to_name_one_and_which_there_are(target: str) -> None:
    done = make(target)

    assert done.returncode != 0
    assert f"say which operator: make {target} OPERATOR=name, with one of: " in done.stderr
    assert "collector" in done.stderr
