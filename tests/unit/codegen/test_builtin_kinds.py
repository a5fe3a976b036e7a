"""The built-in kinds: all of them can be used, and using one loads little else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import every_kind
from windlass.api import Kind, Untyped
from windlass.kinds.apps.v1 import Deployment

LOADED = """
import json, sys
{}
print(json.dumps([name for name in sys.modules if name.startswith("windlass.")]))
"""


def python(*arguments: str) -> Any:
    """What a fresh Python prints as JSON; a warning is an error there."""
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_kind_loads_without_a_warning_and_gives_back_what_it_was_given() -> None:
    told = python(str(Path(every_kind.__file__)))

    assert told["faults"] == []
    assert told["classes"] == told["exports"] > 400
    assert told["kinds"] > 60


@pytest.mark.parametrize(
    "statement",
    [
        "from windlass.kinds.apps.v1 import Deployment",
        "import windlass.kinds.apps.v1 as apps; apps.Deployment",
    ],
)
def test_importing_a_kind_imports_no_other(statement: str) -> None:
    loaded = python("-c", LOADED.format(statement))

    kinds = [name.removeprefix("windlass.kinds.") for name in loaded if name.startswith("windlass.kinds.")]
    assert kinds == ["apps", "apps.v1", "apps.v1.deployment"]
    assert not [name for name in loaded if name.startswith(("windlass.client", "windlass.schema"))]


def test_using_a_kind_loads_its_parts_and_no_other_kind() -> None:
    loaded = python(
        "-c", LOADED.format("from windlass.kinds.apps.v1 import Deployment; Deployment.model_rebuild()")
    )

    assert "windlass.kinds.core.v1.pod_template_spec" in loaded
    assert [name for name in loaded if name.startswith("windlass.kinds.apps.v1.")] == [
        "windlass.kinds.apps.v1.deployment"
    ]
    assert "windlass.kinds.core.v1.pod" not in loaded


def test_an_untyped_object_is_the_typed_one_in_plain_words() -> None:
    wire = every_kind.full(Deployment)

    untyped = Untyped.of(Deployment.__kind__).from_wire(wire)

    assert untyped["spec"]["replicas"] == Deployment.from_wire(wire).spec.replicas == 7
    assert untyped.metadata == Deployment.from_wire(wire).metadata
    untyped["spec"]["replicas"] = 8
    assert Deployment.from_wire(untyped.to_wire()).spec.replicas == 8


def test_an_untyped_class_is_made_once_for_each_kind() -> None:
    kind = Kind("example.com", "v1", "Thing", "things")

    assert Untyped.of(kind) is Untyped.of(Kind("example.com", "v1", "Thing", "things"))
    assert Untyped.of(kind) is not Untyped.of(Kind("example.com", "v2", "Thing", "things"))
