from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from windlass.errors import ChartError, ConfigError
from windlass.helm.asks import Asks, find_asks
from windlass.helm.chart_files import read_files, stamp, texts
from windlass.helm.scalar import scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from windlass.helm.chart_files import Stamp

__all__ = ["Asks", "Chart", "ChartFolder"]

_SAMPLES: Final = {"name": "shop", "version": "0.1.0"}
_MOST_NODES: Final = 10_000  # of Chart.yaml
_LIMIT: Final = re.compile(r"^kubeVersion:", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart on disk, a folder or an archive, at one moment. `digest` is that of all its files."""

    path: Path
    name: str
    version: str
    app_version: str = ""
    digest: str
    asks: Asks = field(default_factory=Asks)

    @classmethod
    def read(cls, path: Path, label: str = "") -> Chart:
        """The chart in a folder, without what its `.helmignore` names, or in a .tgz archive.

        Messages call it `label`, or by its path.

        Raises:
            ChartError: it cannot be read, or is no chart; the message says which and why.
        """
        label = label or str(path)
        files = read_files(path, label)
        about = _about(label, files)
        return cls(
            path=path,
            name=_text(label, about, "name"),
            version=_text(label, about, "version"),
            app_version=scalar_text(about.get("appVersion")) or "",
            digest=_digest(files),
            asks=_asks(texts(files, label)),
        )


class ChartFolder:
    """A chart whose files may be edited at any time; each read returns it as it is now.

    Messages call it `label`, or by its path.
    """

    def __init__(self, path: Path, label: str = "") -> None:
        self.path = path
        self._label = label or str(path)
        self._seen: Stamp | None = None
        self._chart: Chart | None = None

    def current(self) -> Chart:
        """The chart as it lies on disk, read again only if a file was added, removed or written.

        Raises:
            ChartError: it is no chart any more; once it is, it is read again.
        """
        if self._chart is None or self._seen != stamp(self.path, self._label):
            self._chart = None
            self._seen = stamp(
                self.path, self._label
            )  # before it is read: what is written meanwhile is seen next time
            self._chart = Chart.read(self.path, self._label)
        return self._chart


def _about(label: str, files: Mapping[str, bytes]) -> dict[str, Any]:
    from windlass.api import read_yaml

    if "Chart.yaml" not in files:
        raise ChartError(f"{label} is no chart: it has no Chart.yaml; name the folder that has one")
    try:
        documents = read_yaml(files["Chart.yaml"], f"chart {label}: Chart.yaml", most_nodes=_MOST_NODES)
    except ConfigError as error:
        raise ChartError(str(error)) from error
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ChartError(f"chart {label}: Chart.yaml must be one mapping, with apiVersion, name and version")
    return documents[0]


def _text(label: str, about: Mapping[str, Any], field: str) -> str:
    value = scalar_text(about.get(field))
    if not value:
        raise ChartError(f"chart {label}: Chart.yaml has no {field}; write {field}: {_SAMPLES[field]}")
    return value


def _digest(files: Mapping[str, bytes]) -> str:
    """Of names and contents, each with its length: no other files have the same."""
    digest = sha256()
    for name, content in files.items():
        for part in (name.encode(), content):
            digest.update(len(part).to_bytes(8))
            digest.update(part)
    return digest.hexdigest()


def _asks(contents: Iterable[tuple[str, str]]) -> Asks:
    """What the chart and its subcharts ask; a `kubeVersion` decides whether anything is rendered at all."""
    limits: list[str] = []

    def each() -> Iterator[str]:
        for name, text in contents:
            limits.extend([name] if name.rpartition("/")[2] == "Chart.yaml" and _LIMIT.search(text) else [])
            yield text

    asks = find_asks(each())
    return replace(asks, kube_version=True) if limits else asks
