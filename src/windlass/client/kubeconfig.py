from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windlass.api import read_yaml
from windlass.client.entry import Entry
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_SECTIONS = {"cluster": "clusters", "user": "users", "context": "contexts"}
_MOST_NAMES = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Kubeconfig:
    """One kubeconfig, or several merged into one: the first file to set a value wins.

    Entries are never mixed: of two users with one name, the first file's is taken whole.
    """

    files: tuple[Path, ...]
    current: str = ""
    clusters: Mapping[str, Entry] = field(default_factory=dict)
    users: Mapping[str, Entry] = field(default_factory=dict)
    contexts: Mapping[str, Entry] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether it says anything at all; an empty file says as little as a missing one."""
        return bool(self.current or self.clusters or self.users or self.contexts)

    def context(self, name: str | None) -> Entry:
        """The context of this name, or the current one.

        Raises:
            ConfigError: there is no such context, or none is current.
        """
        chosen = name or self.current
        if not chosen:
            raise ConfigError(
                f"{self._files}: no current-context is set, so it is not known which cluster is meant; "
                f"choose one with `kubectl config use-context NAME` or context=; {_known(self.contexts)}"
            )
        if chosen not in self.contexts:
            said = "there is no context" if name else "current-context names no context that exists:"
            raise ConfigError(f'{self._files}: {said} "{chosen}"; {_known(self.contexts)}')
        return self.contexts[chosen]

    def cluster(self, context: Entry) -> Entry:
        """The cluster that a context names.

        Raises:
            ConfigError: it names none, or one that is not there.
        """
        return self._named(context, "cluster", self.clusters)

    def user(self, context: Entry) -> Entry:
        """The user that a context names; one that names none is anonymous.

        Raises:
            ConfigError: it names one that is not there.
        """
        if not context.text("user"):
            return Entry(kind="user", name="", file=context.file, data={})
        return self._named(context, "user", self.users)

    def _named(self, context: Entry, key: str, entries: Mapping[str, Entry]) -> Entry:
        name = context.text(key)
        if not name:
            raise context.fault(f"it names no {key}; add `{key}: NAME`; {_known(entries)}")
        if name not in entries:
            raise context.fault(
                f'{key} "{name}" does not exist; correct the name or add the {key}; {_known(entries)}'
            )
        return entries[name]

    @property
    def _files(self) -> str:
        return ", ".join(map(str, self.files))


def read_kubeconfig(paths: Iterable[Path], *, skip_missing: bool = False) -> Kubeconfig:
    """Read files and merge them by kubectl's rules; a list of files may name some that do not exist.

    Raises:
        ConfigError: a file cannot be read or is no kubeconfig.
    """
    merged: dict[str, dict[str, Entry]] = {section: {} for section in _SECTIONS.values()}
    current = ""
    files = []
    for path in paths:
        text = _read(path, skip_missing=skip_missing)
        if text is None:
            continue
        files.append(path)
        document = _document(path, text)
        current = current or _current(path, document)
        for kind, section in _SECTIONS.items():
            for entry in _entries(path, kind, document.get(section)):
                merged[section].setdefault(entry.name, entry)
    return Kubeconfig(files=tuple(files), current=current, **merged)


def _read(path: Path, *, skip_missing: bool) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError as error:
        if skip_missing and isinstance(error, FileNotFoundError):
            return None
        raise ConfigError(
            f"{path}: the kubeconfig cannot be read ({error.strerror or error}); "
            "correct the path or the file's permissions"
        ) from error


def _document(path: Path, text: bytes) -> dict[str, Any]:
    """The file's YAML as a mapping of the right kind."""
    try:
        documents = read_yaml(text)
    except ConfigError as error:
        fault = _yaml_fault(error.__cause__)
        # Neither it nor its cause may be seen, since both can quote a secret.
        raise ConfigError(f"{path}: the kubeconfig is not valid YAML ({fault}); correct the file") from None
    if not documents:
        return {}
    if len(documents) > 1:
        raise ConfigError(f"{path}: a kubeconfig is one YAML document, not {len(documents)}; split the file")
    (document,) = documents
    if not isinstance(document, dict):
        raise ConfigError(f"{path}: a kubeconfig must be a mapping with clusters, users and contexts")
    kind, version = document.get("kind", "Config"), document.get("apiVersion", "v1")
    if (kind, version) != ("Config", "v1"):
        raise ConfigError(
            f"{path}: this is apiVersion {version}, kind {kind}, not a kubeconfig; "
            "a kubeconfig has apiVersion v1, kind Config"
        )
    return document


def _yaml_fault(error: BaseException | None) -> str:
    """The fault and its line, without the line itself, which may hold a secret."""
    mark = getattr(error, "problem_mark", None)
    if mark:
        return f"{getattr(error, 'problem', None) or 'a fault'}, line {mark.line + 1}"
    return getattr(error, "reason", None) or "a value does not fit its tag"


def _current(path: Path, document: Mapping[str, Any]) -> str:
    current = document.get("current-context") or ""
    if not isinstance(current, str):
        raise ConfigError(f"{path}: current-context must be a string; put the value in quotes")
    return current


def _entries(path: Path, kind: str, items: Any) -> Iterator[Entry]:
    section = _SECTIONS[kind]
    if not isinstance(items or [], list):
        raise ConfigError(f"{path}: {section} must be a list of entries, each with name and {kind}")
    seen = set()
    for number, item in enumerate(items or [], 1):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or not name:
            raise ConfigError(
                f"{path}: entry {number} of {section} has no name; each needs name and {kind}, "
                "and a name that looks like a number needs quotes"
            )
        if name in seen:
            raise ConfigError(f'{path}: {section} holds "{name}" twice; remove or rename one of the two')
        seen.add(name)
        data = item.get(kind) or {}
        if not isinstance(data, dict):
            raise ConfigError(f'{path}: {kind} "{name}": {kind} must be a mapping')
        yield Entry(kind=kind, name=name, file=path, data=data)


def _known(entries: Mapping[str, Entry]) -> str:
    if not entries:
        return "there are none in the file"
    names = [f'"{name}"' for name in list(entries)[:_MOST_NAMES]]
    more = len(entries) - len(names)
    return f"there is {', '.join(names)}" + (f" and {more} more" if more else "")
