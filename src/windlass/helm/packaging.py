"""The operator of a `watches.yaml` as data for generators: definitions, samples, and what it runs with.

`windlass.codegen` makes files and objects of it, as it does of an operator that is written in Python.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from windlass._version import __version__
from windlass.api import UNOBSERVED, Untyped, read_yaml, write_yaml
from windlass.codegen import Project, check_definition, header, sample_file
from windlass.errors import ChartError, ConfigError, SchemaError
from windlass.helm.chart_files import read_files, texts
from windlass.helm.controller import HelmController
from windlass.helm.sample import sample_of
from windlass.helm.values_schema import RULES, schema_of_defaults, schema_of_values
from windlass.helm.variant import default_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from windlass.api import Json
    from windlass.helm.watches import HelmWatch
    from windlass.reconcile import Reconciler, Rule

LONGEST_NAME: Final = 53
"""Characters that Helm allows in the name of a release."""

_FREE: Final[Mapping[str, Any]] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_STATUS: Final[Mapping[str, Any]] = {
    **_FREE,
    "properties": {
        "observedGeneration": {
            "type": "integer",
            "description": "The generation of the spec that this status is about.",
            "default": UNOBSERVED,
        }
    },
    "default": {"observedGeneration": UNOBSERVED},
}
_READY: Final = ".status.conditions[?(@.type=='Ready')]"
_COLUMNS: Final = (
    {"name": "Ready", "type": "string", "jsonPath": f"{_READY}.status"},
    {"name": "Reason", "type": "string", "jsonPath": f"{_READY}.reason"},
    {"name": "Version", "type": "string", "jsonPath": ".status.deployedRelease.version"},
    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
)
_SHORT_NAME: Final = {
    # For new objects only: one with a longer name must still be changed, to let it be deleted.
    "rule": f"oldSelf.hasValue() || size(self.metadata.name) <= {LONGEST_NAME}",
    "optionalOldSelf": True,
    "message": f"metadata.name is the name of a Helm release, which has at most {LONGEST_NAME} characters",
}
_LARGEST: Final = 2**19  # of the 1.5 MiB that a server stores, since managed fields take space too


def watches_project(
    watches: Sequence[HelmWatch],
    *,
    operator: str,
    namespace: str = "",
    rules: Iterable[Rule] = (),
    charts: bool = True,
) -> Project:
    """The project of a `watches.yaml`; `rules` are those of `watch_rules`, which needs `helm` to find them.

    Without `charts`, definitions have no schemas and there are no samples: enough to remove the operator.

    Raises:
        ConfigError: a kind cannot have a definition, or a chart's files cannot be read.
    """
    return Project(
        operator=operator,
        kinds=tuple(Untyped.of(watch.guess) for watch in watches),
        rules=tuple(rules),
        namespace=namespace,
        reconcilers=tuple(_controller(watch) for watch in watches),
        runs_watches=True,
        summary=f"{', '.join(dict.fromkeys(watch.kind for watch in watches))} as releases of Helm charts.",
        written_definitions=tuple(watch_definitions(watches) if charts else map(_unread, _by_kind(watches))),
        written_samples=_samples([versions[0] for versions in _by_kind(watches)]) if charts else {},
    )


def watch_definitions(watches: Sequence[HelmWatch]) -> list[Json]:
    """The custom resource definitions of these entries; of several versions, the first one is stored.

    Raises:
        ConfigError: a kind cannot have a definition, or a chart's files cannot be read.
    """
    return [_definition(versions) for versions in _by_kind(watches)]


def watches_image(file: Path, watches: Sequence[HelmWatch], operator: str, base: str = "") -> str:
    """The Dockerfile of an image that runs a `watches.yaml`; `base` is the image of Windlass.

    It is built in the folder of the file. Charts that are fetched are not in it, but fetched at the start.
    Its entrypoint takes bare flags, as that of operator-sdk's image does.

    Raises:
        ConfigError: a chart is not below that folder.
    """
    copies = dict.fromkeys(_copy(watch, file) for watch in watches if watch.remote is None)
    lines = [
        f"FROM {base or f'windlass:{__version__}'}",
        "WORKDIR /opt/helm",
        f"COPY {file.name} ./watches.yaml",
        *copies,
        'ENTRYPOINT ["windlass", "helm", "run", "--watches-file=./watches.yaml"]',
    ]
    return header("dockerfile", operator) + "\n".join(lines) + "\n"


def _copy(watch: HelmWatch, file: Path) -> str:
    """Return the instruction that copies a chart to where the file of watches says that it is.

    The source is the target of links, which not every builder follows.
    """
    context = file.parent.resolve()
    found = watch.chart.resolve()
    if not found.is_relative_to(context):
        raise ConfigError(
            f"chart {watch.chart} is not below {context}, and an image can copy only files of the folder of "
            f"{file.name}; move the chart there and write its path relative to that folder"
        )
    source = found.relative_to(context).as_posix()
    written = PurePosixPath(watch.written or source)
    return f"COPY {source} {written if written.is_absolute() else f'./{written}'}"


def _by_kind(watches: Sequence[HelmWatch]) -> list[list[HelmWatch]]:
    """Return the entries of each kind, sorted by group and kind; the first of each is the stored version."""
    kinds: dict[tuple[str, str], list[HelmWatch]] = {}
    for watch in watches:
        kinds.setdefault((watch.group, watch.kind), []).append(watch)
    return [kinds[key] for key in sorted(kinds)]


def _controller(watch: HelmWatch) -> type[Reconciler[Any]]:
    """A class that declares what the controller of an entry does; nothing runs it."""
    return type(f"{watch.kind}Controller", (HelmController,), {"of": Untyped.of(watch.guess)})


def _definition(versions: Sequence[HelmWatch]) -> Json:
    """The definition with the strictest schemas that a server accepts and that are small enough."""
    specs: tuple[Callable[[HelmWatch], Json], ...] = (
        _spec,
        lambda watch: _without(_spec(watch), RULES),
        lambda watch: _without(_spec(watch), RULES, "pattern"),
        lambda watch: _without(_spec(watch), RULES, "pattern", "description"),
    )
    for spec in specs:
        made = _document(versions, spec)
        try:
            check_definition(made)
        except SchemaError:
            continue
        if len(json.dumps(made)) <= _LARGEST:
            return made
    made = _unread(versions)
    try:
        check_definition(made)
    except SchemaError as error:
        raise ConfigError(f"{versions[0].kind} cannot have a definition: {error}") from error
    return made


def _unread(versions: Sequence[HelmWatch]) -> Json:
    """Return the definition without the schemas of the charts."""
    return _document(versions, lambda _: dict(_FREE))


def _document(versions: Sequence[HelmWatch], spec: Callable[[HelmWatch], Json]) -> Json:
    kind = versions[0].guess
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.plural}.{kind.group}"},
        "spec": {
            "group": kind.group,
            "names": {
                "kind": kind.name,
                "listKind": f"{kind.name}List",
                "plural": kind.plural,
                "singular": kind.name.lower(),
            },
            "scope": "Namespaced",
            "versions": [
                {
                    "name": watch.version,
                    "served": True,
                    "storage": watch is versions[0],
                    "schema": {"openAPIV3Schema": _root(watch, spec(watch))},
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": list(_COLUMNS),
                }
                for watch in versions
            ],
        },
    }


def _root(watch: HelmWatch, spec: Json) -> Json:
    values = {"description": f"The values of the chart {watch.chart_name}.", **spec}
    return {
        "type": "object",
        "description": f"A release of the chart {watch.chart_name}.",
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": values,
            "status": dict(_STATUS),
        },
        "x-kubernetes-validations": [dict(_SHORT_NAME)],
    }


def _spec(watch: HelmWatch) -> Json:
    files = _files(watch.chart)
    schema = _values_schema(watch.chart, files)
    if schema is None:
        return schema_of_defaults(_values(watch.chart, files))
    return schema_of_values(schema, free=watch.overrides, defaults=_all_defaults(watch.chart, files))


def _values_schema(chart: Path, files: Mapping[str, bytes]) -> Any:
    """The chart's `values.schema.json`; None where it has none."""
    if "values.schema.json" not in files:
        return None
    try:
        schema = json.loads(files["values.schema.json"])
    except ValueError as error:
        raise ConfigError(f"chart {chart}: values.schema.json is no JSON: {error}") from error
    if not isinstance(schema, (dict, bool)):
        raise ConfigError(f"chart {chart}: values.schema.json is no JSON schema, which is an object")
    return schema


def _without(schema: Any, *keys: str) -> Any:
    """A schema without these keywords; a property may still be called so."""
    if not isinstance(schema, dict):
        return schema
    made = {key: value for key, value in schema.items() if key not in keys}
    for key in ("items", "additionalProperties"):
        if key in made:
            made[key] = _without(made[key], *keys)
    if "properties" in made:
        made["properties"] = {name: _without(each, *keys) for name, each in made["properties"].items()}
    return made


def _samples(watches: Sequence[HelmWatch]) -> dict[str, str]:
    """The samples of entries, by file; its name has the whole group where the first label is not enough."""
    kinds = [Untyped.of(watch.guess) for watch in watches]
    files = Counter(map(sample_file, kinds))
    return {
        sample_file(kind, watch.group if files[sample_file(kind)] > 1 else ""): write_yaml([_sample(watch)])
        for kind, watch in zip(kinds, watches, strict=True)
    }


def _sample(watch: HelmWatch) -> Json:
    files = _files(watch.chart)
    values, defaults = _values(watch.chart, files), _all_defaults(watch.chart, files)
    return sample_of(watch, values, defaults, _values_schema(watch.chart, files))


def _values(chart: Path, files: Mapping[str, bytes]) -> dict[str, Any]:
    documents = read_yaml(files.get("values.yaml", b""), f"chart {chart}: values.yaml")
    values = documents[0] if documents else None
    if values is not None and not isinstance(values, dict):
        raise ConfigError(f"chart {chart}: values.yaml must be a mapping")
    return values or {}


def _all_defaults(chart: Path, files: Mapping[str, bytes]) -> Json:
    """The values of the chart and of its subcharts."""
    try:
        return default_values(dict(texts(files, chart)))
    except ChartError as error:
        raise ConfigError(str(error)) from error


def _files(chart: Path) -> Mapping[str, bytes]:
    try:
        return read_files(chart)
    except ChartError as error:
        raise ConfigError(str(error)) from error
