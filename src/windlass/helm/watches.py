"""`watches.yaml`: which chart makes an operator for which kind, as operator-sdk has it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Kind, LabelSelector, plural
from windlass.client import Impersonation
from windlass.errors import ChartError, ConfigError
from windlass.helm.chart import Chart
from windlass.helm.chart_files import read_files
from windlass.helm.remote_chart import RemoteChart
from windlass.helm.scalar import parse_period, scalar_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import timedelta

    from windlass.helm.options import DryRun

_NAMES: Final = ("watches.yaml", "watch.yaml")
_SAMPLES: Final = {"version": "v1alpha1", "kind": "Shop", "chart": "helm-charts/shop"}
_KEYS: Final = (
    "group",
    "version",
    "kind",
    "chart",
    "chartRepo",
    "chartVersion",
    "chartDigest",
    "watchDependentResources",
    "overrideValues",
    "selector",
    "reconcilePeriod",
    "dryRunOption",
    "maxConcurrentReconciles",
    "historyMax",
    "timeout",
    "serviceAccountName",
)
_log = logging.getLogger("windlass.helm")


@dataclass(frozen=True, kw_only=True)
class HelmWatch:
    """One entry of `watches.yaml`. What it leaves unsaid (None) is for the flags to say.

    `chart` is a folder or an archive on disk; of a `remote` chart it is the archive that was fetched.
    `written` is the chart as the file states it.
    `overrides` are as they were written: the environment is not put in yet.
    """

    group: str
    version: str
    kind: str
    chart: Path
    watch_dependents: bool = True
    overrides: Mapping[str, str] = field(default_factory=dict)
    selector: LabelSelector = field(default_factory=LabelSelector)
    period: timedelta | None = None
    dry_run: DryRun = "client"
    max_concurrent: int | None = None
    history: int | None = None
    timeout: timedelta | None = None
    service_account: str | None = None
    remote: RemoteChart | None = None
    written: str = field(default="", compare=False)

    @property
    def chart_name(self) -> str:
        """The chart, for people: the name of its folder or archive, or the address that it is from."""
        return str(self.remote) if self.remote else self.chart.name

    @property
    def api_version(self) -> str:
        """Group and version as an object states them."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def guess(self) -> Kind:
        """The kind as it most likely is, where no server tells its plural and scope."""
        return Kind(self.group, self.version, self.kind, plural(self.kind), subresources=("status",))


def find_watches(folder: Path) -> Path:
    """The file of watches in a folder.

    Raises:
        ConfigError: there is none.
    """
    for name in _NAMES:
        if (folder / name).is_file():
            return folder / name
    raise ConfigError(f"there is neither {' nor '.join(_NAMES)} in {folder.absolute()}; use --watches-file")


def read_watches(
    file: Path, fetch: Callable[[RemoteChart], Path] | None = None, *, charts: bool = True
) -> Sequence[HelmWatch]:
    """Every entry of a file of watches; its charts are read, so that a broken one is found at the start.

    A relative path of a chart starts at the working directory, or if nothing is there at the file's folder.
    `fetch` returns the archive of a chart that is not on disk. An unknown key is logged: it is most
    likely a mistake. Without `charts`, read group, version and kind only, as the removal of an operator does.

    Raises:
        ConfigError: an entry cannot be used; the message says which, why, and what to write instead.
    """
    watches: list[HelmWatch] = []
    for number, entry in enumerate(_entries(file), 1):
        try:
            known = _known(f"{file}, entry {number}", entry)
            watch = _watch(file, known, fetch) if charts else _kind_alone(known)
            _refuse_twice(watch, watches)
            _refuse_resource(watch, watches)
        except (ConfigError, ChartError) as error:
            raise ConfigError(f"{file}, entry {number}: {error}") from error
        watches.append(watch)
    return watches


def _entries(file: Path) -> list[Any]:
    from windlass.api import read_yaml

    try:
        text = file.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from error
    try:
        documents = read_yaml(text, str(file))
    except ConfigError as error:
        raise ConfigError(str(error).replace('"<byte string>"', f'"{file}"')) from error
    _refuse_repeated_keys(file, text)
    if len(documents) != 1 or not isinstance(documents[0], list) or not documents[0]:
        raise ConfigError(f"{file} must be a list of entries, each with group, version, kind and chart")
    return documents[0]


def _refuse_repeated_keys(file: Path, text: bytes) -> None:
    """Refuse a key that stands twice in one mapping, of which YAML takes the last without a word."""
    import yaml

    try:
        pending = [node for node in yaml.compose_all(text, Loader=yaml.SafeLoader) if node]
    except yaml.YAMLError as error:
        raise ConfigError(f"{file} is not YAML: {error}") from error
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen or not isinstance(node, yaml.CollectionNode):
            continue
        seen.add(id(node))
        if not isinstance(node, yaml.MappingNode):
            pending += node.value
            continue
        keys: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in keys:
                raise ConfigError(f"{file}, line {key.start_mark.line + 1}: {key.value} is there twice")
            keys.add(str(key.value))
            pending.append(value)


def _known(where: str, entry: object) -> dict[str, Any]:
    """The keys that have a meaning; as in Go, capital letters do not matter."""
    if not isinstance(entry, dict):
        raise ConfigError("must be a mapping with group, version, kind and chart")
    spelled = {key.lower(): key for key in _KEYS}
    entry = {str(key): value for key, value in entry.items()}
    folded = [key.lower() for key in entry]
    if twice := [key for key in entry if folded.count(key.lower()) > 1]:
        raise ConfigError(f"{' and '.join(twice)} are the same key; leave one of them out")
    unknown = [key for key in entry if key.lower() not in spelled]
    if unknown:
        _log.warning("%s: nobody knows %s; known are %s", where, ", ".join(unknown), ", ".join(_KEYS))
    return {spelled[key.lower()]: value for key, value in entry.items() if key.lower() in spelled}


def _watch(file: Path, entry: Mapping[str, Any], fetch: Callable[[RemoteChart], Path] | None) -> HelmWatch:
    watch = replace(
        _kind_alone(entry),
        chart=_chart(file, _required(entry, "chart")),
        written=_required(entry, "chart"),
        remote=_remote(entry),
        watch_dependents=_switch(entry, "watchDependentResources", default=True),
        overrides=_overrides(entry),
        selector=_selector(entry),
        period=_duration(entry, "reconcilePeriod"),
        dry_run=_dry_run(entry),
        max_concurrent=_count(entry, "maxConcurrentReconciles"),
        history=_count(entry, "historyMax"),
        timeout=_duration(entry, "timeout"),
        service_account=_account(entry),
    )
    if watch.remote:
        watch = replace(watch, chart=_fetched(watch.remote, fetch))
    Chart.read(watch.chart)
    _refuse_library(watch.chart)
    return watch


def _kind_alone(entry: Mapping[str, Any]) -> HelmWatch:
    """Return the entry with its group, version and kind, without its chart."""
    return HelmWatch(
        group=_text(entry, "group"),
        version=_required(entry, "version"),
        kind=_required(entry, "kind"),
        chart=Path(),
    )


def _refuse_library(chart: Path) -> None:
    from windlass.api import read_yaml

    (about,) = read_yaml(read_files(chart)["Chart.yaml"], f"chart {chart}: Chart.yaml")
    if about.get("type") == "library":
        raise ConfigError(f"chart {chart} has type library, so Helm cannot install it; name another chart")


def _fetched(chart: RemoteChart, fetch: Callable[[RemoteChart], Path] | None) -> Path:
    if fetch is None:
        raise ConfigError(f"chart {chart} is not on disk, and nothing is fetched here")
    return fetch(chart)


def _remote(entry: Mapping[str, Any]) -> RemoteChart | None:
    version = entry.get("chartVersion")
    if version is not None and not isinstance(version, str):
        raise ConfigError(f"chartVersion is {version!r}; write it in quotes, as a number may lose digits")
    return RemoteChart.parse(
        _required(entry, "chart"),
        repo=_text(entry, "chartRepo"),
        version=version or "",
        digest=_text(entry, "chartDigest"),
    )


def _refuse_twice(watch: HelmWatch, others: Sequence[HelmWatch]) -> None:
    if any((watch.api_version, watch.kind) == (other.api_version, other.kind) for other in others):
        raise ConfigError(f"{watch.kind} of {watch.api_version} has an entry already; one chart can serve it")


def _refuse_resource(watch: HelmWatch, others: Sequence[HelmWatch]) -> None:
    """Refuse a kind whose resource would be that of another one: they cannot both have a definition."""
    for number, other in enumerate(others, 1):
        if watch.kind != other.kind and watch.guess.resource == other.guess.resource:
            raise ConfigError(
                f"the kind {watch.kind} and {other.kind} of entry {number} have the same resource, "
                f"{watch.guess.resource}; rename one of them"
            )


def _text(entry: Mapping[str, Any], key: str) -> str:
    text = scalar_text(entry.get(key))
    if text is None:
        raise ConfigError(f"{key} is no text but {entry[key]!r}")
    return text


def _required(entry: Mapping[str, Any], key: str) -> str:
    text = _text(entry, key)
    if not text:
        raise ConfigError(f"{key} is missing; write {key}: {_SAMPLES[key]}")
    return text


def _chart(file: Path, text: str) -> Path:
    here, beside = Path(text), file.parent / text
    return beside if not here.exists() and beside.exists() else here


def _switch(entry: Mapping[str, Any], key: str, *, default: bool) -> bool:
    value = entry.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ConfigError(f"{key} is {value!r}; write true or false, without quotes")
    return value


def _count(entry: Mapping[str, Any], key: str) -> int | None:
    value = entry.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigError(f"{key} is {value!r}; write a whole number from 1")
    return value


def _account(entry: Mapping[str, Any]) -> str | None:
    if entry.get("serviceAccountName") is None:
        return None
    name = _text(entry, "serviceAccountName")
    if name:
        Impersonation.service_account("default", name)
    return name


def _overrides(entry: Mapping[str, Any]) -> dict[str, str]:
    given = entry.get("overrideValues") or {}
    if not isinstance(given, dict):
        raise ConfigError("overrideValues must be a mapping: image.tag: $TAG")
    overrides: dict[str, str] = {}
    for path, value in given.items():
        text = scalar_text(value)
        if text is None:
            raise ConfigError(
                f"overrideValues: {path} is no text; write {path}.name: value for what is below"
            )
        overrides[path] = text
    return overrides


def _selector(entry: Mapping[str, Any]) -> LabelSelector:
    from pydantic import ValidationError

    given = entry.get("selector") or {}
    if not isinstance(given, dict) or given.keys() - {"matchLabels", "matchExpressions"}:
        raise ConfigError(f"selector is {given!r}; write matchLabels, matchExpressions or both below it")
    try:
        selector = LabelSelector.model_validate(given)
        selector.selector()
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"selector: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except ValueError as error:
        raise ConfigError(f"selector: {error}") from error
    return selector


def _duration(entry: Mapping[str, Any], key: str) -> timedelta | None:
    value = entry.get(key)
    if value is None:
        return None
    try:
        duration = parse_period(value) if isinstance(value, str) else None
    except ValueError as error:
        raise ConfigError(f"{key}: {error}") from error
    if duration is None:
        raise ConfigError(f"{key} is {value!r}; write a text with its unit: {value}s")
    return duration or None  # zero is as if it were not there


def _dry_run(entry: Mapping[str, Any]) -> DryRun:
    text = _text(entry, "dryRunOption")
    if text not in {"", "client", "server", "none", "true", "false"}:  # the last three are client to Helm 3
        raise ConfigError(f"dryRunOption is {text!r}; write client or server")
    return "server" if text == "server" else "client"
