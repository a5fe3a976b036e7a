"""The values of a release: what the object says, and the overrides that win over it."""

from __future__ import annotations

import re
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key, Model, Untyped
from windlass.errors import ConfigError, HelmError, Terminal
from windlass.helm.blueprint import Blueprint
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart import Chart
from windlass.helm.expand import expand, inline_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Json, Resource
    from windlass.helm.engine import Helm

_ABOUT: Final = "apiVersion: v2\nname: overrides\nversion: 0.1.0\n"
_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def values_of(resource: Resource, metadata_key: str = "") -> Json:
    """An object's spec as values; one without a spec has none. With a key, its metadata stands there too.

    Raises:
        Terminal: the spec is no mapping.
    """
    spec: Any = resource.get("spec") if isinstance(resource, Untyped) else getattr(resource, "spec", None)
    if isinstance(spec, Model):
        spec = spec.to_wire()
    if spec is not None and not isinstance(spec, dict):
        kind = "list" if isinstance(spec, list) else type(spec).__name__
        raise Terminal("InvalidSpec", f"spec is no mapping but a {kind}: the values of a chart have names")
    values = deepcopy(spec or {})  # hooks may change them in place
    return {**values, metadata_key: _metadata(resource)} if metadata_key else values


def assignments(overrides: Mapping[str, str]) -> tuple[str, ...]:
    """Overrides in the grammar of `helm --set-string`.

    Values are not escaped, so a comma in one begins the next assignment, as it does for operator-sdk.
    """
    return tuple(f"{path}={value}" for path, value in sorted(overrides.items()))


async def resolve_overrides(
    overrides: Mapping[str, str], environment: Mapping[str, str], helm: Helm
) -> dict[str, str]:
    """Overrides with the environment put in; those that are templates are rendered, without any data.

    Raises:
        ConfigError: one cannot be rendered; the message names it.
        ToolError: one is a template, and there is no `helm` program.
    """
    expanded = {path: expand(value, environment) for path, value in overrides.items()}
    templates = {path: value for path, value in expanded.items() if "{{" in value}
    if not templates:
        return expanded
    inlined = {path: inline_environment(value, environment) for path, value in templates.items()}
    with _scratch_chart(inlined) as chart:
        blueprint = Blueprint(
            release=Key("default", "overrides"),
            chart=chart,
            capabilities=Capabilities(kube_version="v1.30.0"),  # which nothing in it asks for
        )
        try:
            objects = await helm.render(blueprint, is_upgrade=False)
        except HelmError as error:
            raise ConfigError(f"overrideValues cannot be rendered ({', '.join(inlined)}): {error}") from error
    rendered = {each["metadata"]["name"]: each["data"]["value"] for each in objects}
    return expanded | {path: rendered[f"override-{index}"] for index, path in enumerate(templates)}


def _metadata(resource: Resource) -> Json:
    metadata = resource.metadata
    return {
        "name": metadata.name,
        "namespace": metadata.namespace,
        "labels": dict(metadata.labels),
        "annotations": {key: text for key, text in metadata.annotations.items() if key != _LAST_APPLIED},
        "uid": metadata.uid,
    }


@contextmanager
def _scratch_chart(templates: Mapping[str, str]) -> Iterator[Chart]:
    """A chart that renders each text into an object of its own; a fault names the file, and so the path."""
    files: dict[str, str] = {}
    objects = []
    for index, (path, text) in enumerate(templates.items()):
        file = f"_{index}_{re.sub(r'[^A-Za-z0-9.-]', '_', path)}.tpl"
        files[file] = f'{{{{ define "override-{index}" }}}}{text}{{{{ end }}}}'
        objects.append(_object(f"override-{index}"))
    with chart_of({**files, "overrides.yaml": "---\n".join(objects)}) as chart:
        yield chart


@contextmanager
def chart_of(templates: Mapping[str, str]) -> Iterator[Chart]:
    """Make a chart of these templates, for as long as it is used."""
    with TemporaryDirectory(prefix="windlass-overrides-") as name:
        folder = Path(name)
        (folder / "templates").mkdir()
        (folder / "Chart.yaml").write_text(_ABOUT, encoding="utf-8")
        for file, text in templates.items():
            (folder / "templates" / file).write_text(text, encoding="utf-8")
        yield Chart.read(folder)


def _object(name: str) -> str:
    return (
        f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n"
        f'data: {{value: {{{{ include "{name}" nil | toJson }}}}}}\n'
    )
