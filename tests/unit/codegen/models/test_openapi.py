"""Modules for the kinds of an API server, from its named definitions."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import Kind
from windlass.codegen import from_openapi, write_files
from workspace import working_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

META = "io.k8s.apimachinery.pkg.apis.meta.v1."
JOB = Kind("batch", "v1", "Job", "jobs", subresources=("status",))
NODE = Kind("", "v1", "Node", "nodes", namespaced=False)


def ref(key: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{key}"}


def kind_schema(kind: Kind, **properties: Any) -> dict[str, Any]:
    stated = {"group": kind.group, "version": kind.version, "kind": kind.name}
    return {
        "description": "Prose that is not ours.",
        "type": "object",
        "properties": {"apiVersion": {"type": "string"}, "metadata": ref(f"{META}ObjectMeta"), **properties},
        "x-kubernetes-group-version-kind": [stated],
    }


DEFINITIONS = {
    "io.k8s.api.batch.v1.Job": kind_schema(
        JOB, spec={"allOf": [ref("io.k8s.api.batch.v1.JobSpec")], "default": {}}
    ),
    "io.k8s.api.batch.v1.JobSpec": {
        "description": "Prose that is not ours.",
        "type": "object",
        "required": ["template"],
        "properties": {
            "template": ref("io.k8s.api.core.v1.PodSpec"),
            "parallelism": {"type": "integer", "format": "int32"},
            "limits": {
                "type": "object",
                "additionalProperties": ref("io.k8s.apimachinery.pkg.api.resource.Quantity"),
            },
            "mode": {"type": "string", "enum": ["Indexed", "NonIndexed"]},
            "raw": ref("io.k8s.apimachinery.pkg.runtime.RawExtension"),
            "any": ref("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON"),
        },
    },
    "io.k8s.api.core.v1.Node": kind_schema(NODE, spec=ref("io.k8s.api.core.v1.PodSpec")),
    "io.k8s.api.core.v1.PodSpec": {
        "type": "object",
        "properties": {
            "since": ref(f"{META}Time"),
            "port": ref("io.k8s.apimachinery.pkg.util.intstr.IntOrString"),
            "inner": {"type": "array", "items": ref("io.k8s.api.core.v1.PodSpec")},
        },
    },
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": {"description": "Anything."},
}


@pytest.fixture
def package(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A package with the two kinds, as files that can be imported."""
    name = "generated_kinds"
    write_files(tmp_path / name, from_openapi(DEFINITIONS, [JOB, NODE], name) | {"__init__.py": ""})
    with working_in(tmp_path):
        sys.path.insert(0, str(tmp_path))
        yield name


def test_each_kind_has_a_module_and_what_kinds_share_has_one_of_its_own() -> None:
    files = from_openapi(DEFINITIONS, [JOB, NODE], "generated_kinds")

    assert sorted(files) == [
        "batch/__init__.py",
        "batch/v1/__init__.py",
        "batch/v1/job.py",
        "core/__init__.py",
        "core/v1/__init__.py",
        "core/v1/node.py",
        "core/v1/pod_spec.py",
    ]


def test_facts_are_taken_and_prose_is_not() -> None:
    assert "Prose" not in str(from_openapi(DEFINITIONS, [JOB, NODE], "generated_kinds"))


def test_every_module_is_marked_as_generated() -> None:
    files = from_openapi(DEFINITIONS, [JOB, NODE], "generated_kinds")

    assert all("# Generated" in text for name, text in files.items() if name.count("/") > 1)


def test_a_shared_part_is_loaded_when_a_kind_is_first_used(package: str) -> None:
    job = import_module(f"{package}.batch.v1").Job
    assert f"{package}.core.v1.pod_spec" not in sys.modules

    wire = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "a"},
        "spec": {
            "template": {"since": "2026-01-02T03:04:05Z", "port": "http", "inner": [{"port": 1}]},
            "limits": {"cpu": "1000m"},
            "mode": "of tomorrow",
            "raw": {"a": [1]},
            "any": "thing",
        },
    }
    read = job.from_wire(wire)

    assert f"{package}.core.v1.pod_spec" in sys.modules
    assert f"{package}.core.v1.node" not in sys.modules
    assert read.to_wire() == wire
    assert read.spec.template.inner[0].port == 1
    assert job.__kind__ == JOB


def test_a_package_gives_its_names_without_loading_them(package: str) -> None:
    core = import_module(f"{package}.core.v1")

    assert dir(core) == ["Node", "PodSpec"]
    assert f"{package}.core.v1.node" not in sys.modules
    assert core.Node.__kind__ == NODE
    with pytest.raises(AttributeError, match="has no attribute 'Pod'"):
        _ = core.Pod
