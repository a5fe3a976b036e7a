"""CEL rules of widely used CRDs, each with the part of its schema that carries it.

The definitions are read from published Go modules, where `go mod download` puts them; none is kept here.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

MODULES = (
    "sigs.k8s.io/gateway-api@v1.5.1",
    "sigs.k8s.io/cluster-api@v1.14.2",
    "github.com/cert-manager/cert-manager@v1.21.2",
    "istio.io/api@v1.31.1",
    "github.com/external-secrets/external-secrets@v1.3.2",
    "github.com/kyverno/kyverno@v1.19.1",
    "github.com/aws/karpenter-provider-aws@v1.14.1",
    "github.com/envoyproxy/gateway@v1.9.1",
    "github.com/kedacore/keda/v2@v2.21.0",
)
PROBE = "probe"
RULES = "x-kubernetes-validations"
# What CEL never reads, and what would refuse or change a value before a rule sees it.
DROPPED = {RULES, "description", "title", "example", "default", "pattern", "oneOf", "anyOf", "allOf", "not"}
# The formats that give a string another type in CEL; the server checks others, to no use here.
TYPED_FORMATS = {"date", "date-time", "duration", "byte", "int32", "int64", "float", "double"}

Schema = dict[str, Any]


@dataclass(kw_only=True)
class Case:
    """A rule, the schema of what it is about, and what the real server said of values."""

    module: str
    path: str
    rule: str
    schema: Schema
    optional_old_self: bool = False
    tries: list[tuple[Any, Any]] = field(default_factory=list)
    """Values to try, each with the one before it; drawn where there are none."""
    refused: str = ""
    """Why the server refuses a definition with this rule; nothing where it does not."""
    undeclared: str = ""
    """What the server says when a field that the rule names is not in the schema."""
    values: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_transition(self) -> bool:
        """Whether the rule compares with the value before."""
        return "oldSelf" in self.rule


def collect(modules: tuple[str, ...] = MODULES) -> list[Case]:
    """Every rule of these modules once, in the order in which they are found."""
    found: dict[str, Case] = {}
    for module in modules:
        for file in sorted(filter(Path.is_file, _folder(module).rglob("*.y*ml"))):
            for case in _read(module, file):
                found.setdefault(" ".join(case.rule.split()), case)
    return list(found.values())


def _folder(module: str) -> Path:
    done = subprocess.run(
        ["go", "mod", "download", "-json", module], capture_output=True, text=True, check=False
    )
    answer = json.loads(done.stdout or "{}")
    if "Dir" not in answer:
        sys.exit(f"{module} cannot be obtained: {answer.get('Error', done.stderr)}")
    return Path(answer["Dir"])


def _read(module: str, file: Path) -> Iterator[Case]:
    text = file.read_text(encoding="utf-8", errors="replace")
    if RULES not in text:
        return
    try:
        documents = list(yaml.load_all(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:  # a template of a chart, not a definition
        return
    for document in documents:
        if isinstance(document, dict) and document.get("kind") == "CustomResourceDefinition":
            for version in document["spec"]["versions"]:
                schema = version.get("schema", {}).get("openAPIV3Schema", {})
                yield from _walk(module, document["spec"]["names"]["kind"], schema)


def _walk(module: str, path: str, schema: Schema) -> Iterator[Case]:
    for rule in schema.get(RULES, ()):
        yield Case(
            module=module,
            path=path,
            rule=rule["rule"],
            optional_old_self=rule.get("optionalOldSelf", False),
            schema=_bare(schema, is_root="." not in path),
        )
    for name, child in schema.get("properties", {}).items():
        yield from _walk(module, f"{path}.{name}", child)
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from _walk(module, f"{path}.*", schema[keyword])


def _bare(schema: Schema, *, is_root: bool = False) -> Schema:
    """The schema without other rules and without what keeps a generated value from reaching this one."""
    bare = {key: value for key, value in schema.items() if key not in DROPPED}
    if bare.get("format") not in TYPED_FORMATS:
        bare.pop("format", None)
    if "properties" in bare:
        own = {"apiVersion", "kind", "metadata"} if is_root else set()
        bare["properties"] = {
            name: _bare(child) for name, child in bare["properties"].items() if name not in own
        }
    for keyword in ("items", "additionalProperties"):
        if isinstance(bare.get(keyword), dict):
            bare[keyword] = _bare(bare[keyword])
    if keys := bare.get("x-kubernetes-list-map-keys"):  # must have a value, now that defaults are gone
        bare["items"]["required"] = sorted({*keys, *bare["items"].get("required", ())})
    return bare
