"""What a type checker, and another process, make of generated models."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import typed
from modelled import definition, with_spec
from windlass.codegen import from_crds, write_files

if TYPE_CHECKING:
    from pathlib import Path

TEXT = {"type": "string"}
PART = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
EVERYTHING = [
    with_spec(
        {
            "class": TEXT,
            "schema": TEXT,
            "json": PART,
            "copy": {"type": "array", "items": PART},
            "clusterIP": TEXT,
            "{odd}": {"type": "integer"},
            "mode": {"type": "string", "enum": ["a", 'b"', "c\\"]},
            "when": {"type": "string", "format": "date-time"},
            "key": {"type": "string", "format": "byte"},
            "port": {"x-kubernetes-int-or-string": True},
            "note": {"type": "string", "nullable": True},
            "grid": {"type": "array", "items": {"type": "array", "items": PART}},
            "parts": {"type": "object", "additionalProperties": PART},
            "free": {},
            "share": {"type": "number"},
        },
        ["mode", "parts"],
    ),
    definition(
        {
            "type": "object",
            "description": 'A "model" of \\ many """ quotes"',
            "properties": {
                "status": {"type": "object", "properties": {"ready": {"type": "boolean"}, "spec": PART}},
                "owner_reference": TEXT,
            },
        },
        kind="Model",
        subresources={"status": {}},
    ),
    definition({"type": "object"}, kind="none", scope="Cluster"),
    with_spec({}, group="other.example.com"),
]
USE = """
from demo_example_com_box_v1 import Box, BoxSpec, BoxSpecParts

box = Box(spec=BoxSpec(mode="a", parts={"x": BoxSpecParts(a="1")}))
text: str = box.spec.parts["x"].a
wrong: int = box.spec.mode
"""


def test_generated_models_satisfy_a_strict_type_checker(tmp_path: Path) -> None:
    files = from_crds(EVERYTHING)
    write_files(tmp_path, files | {"use.py": USE})

    (error,) = typed.complaints(tmp_path, *files, "use.py")
    assert error.startswith("use.py:6: error: Incompatible types in assignment")


MAKE = """
import json, sys
from windlass.codegen import from_crds
json.dump(from_crds(json.load(sys.stdin)), sys.stdout)
"""


def test_two_processes_make_the_same_text() -> None:
    def made(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", MAKE],
            input=json.dumps(EVERYTHING),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    first = made("1")

    assert first == made("2")
    assert json.loads(first) == from_crds(EVERYTHING)
