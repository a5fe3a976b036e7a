"""The manifest of a release as objects: reading it, comparing it, and what Helm adds to it."""

from __future__ import annotations

from base64 import b64encode
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from windlass.api import read_yaml
from windlass.controller import field_changes
from windlass.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from windlass.api import Json, Key

_POLICY: Final = "helm.sh/resource-policy"
_LIST: Final = "List"
_MOST_NODES: Final = 400_000  # four times those of prometheus-operator-crds, and 200 MB of memory to read
_EXACT: Final = 2**53  # below it, a float that has no fraction is the integer that it looks like


class Identity(NamedTuple):
    """Which object, whatever the version of its kind. `generateName` stands for a name that is not known."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        """As messages name it: `Deployment shop`."""
        return f"{self.kind} {self.name}"


def read_manifest(text: str) -> list[Json]:
    """The objects of a manifest in their order, those inside of lists too, read as Helm reads them.

    Raises:
        ConfigError: the text is not YAML, or too large, or a document of it is no object.
    """
    return [obj for document in read_yaml(text, most_nodes=_MOST_NODES) for obj in objects_of(document)]


def readable_manifest(text: str) -> list[Json]:
    """The objects of a manifest that anybody may have written, as in a status; none if it is broken."""
    try:
        return read_manifest(text)
    except ConfigError:
        return []


def objects_of(document: Any) -> Iterator[Json]:
    """The objects of one document: itself, the items of a list, or nothing if it is empty.

    An item of a list for one kind need not say its kind; here it does afterwards.

    Raises:
        ConfigError: it is no object.
    """
    _check_map(document)
    kind, items = str(document.get("kind") or ""), document.get("items")
    if not kind.endswith(_LIST) or not isinstance(items, list):
        if document:
            _check_object(document)
            yield document
        return
    for item in items:
        _check_map(item)
        if kind != _LIST:
            item.setdefault("apiVersion", document.get("apiVersion"))
            item.setdefault("kind", kind.removesuffix(_LIST))
        _check_object(item)
        yield item


def _check_map(document: Any) -> None:
    if not isinstance(document, dict):
        raise ConfigError(f"the manifest has a document that is no object: {_shown(document)}")


def _check_object(obj: Json) -> None:
    """Refuse what no API server takes, and what would be read as another address.

    Raises:
        ConfigError: a field that says which object it is has a wrong type or value.
    """
    for name in ("apiVersion", "kind"):
        if not isinstance(obj.get(name), str) or not obj[name]:
            raise ConfigError(f"the manifest has an object whose {name} is {_shown(obj.get(name))}")
    metadata = obj.get("metadata")
    if not isinstance(metadata, dict):
        raise ConfigError(f"the manifest has a {obj['kind']} whose metadata is {_shown(metadata)}")
    for name in ("name", "generateName", "namespace"):
        value = metadata.get(name)
        if value is not None and (not isinstance(value, str) or not _is_segment(value)):
            raise ConfigError(f"the manifest has a {obj['kind']} whose metadata.{name} is {_shown(value)}")
    for name in ("labels", "annotations"):
        texts = metadata.get(name) or {}
        if not isinstance(texts, dict):
            raise ConfigError(f"the manifest has a {obj['kind']} whose metadata.{name} is {_shown(texts)}")
        for key, value in texts.items():
            if not isinstance(value, str | None):
                where = f"{obj['kind']} {metadata.get('name', '')} whose metadata.{name}.{key}"
                raise ConfigError(f"the manifest has a {where} is {value!r} and no text: quote it")


def is_object(obj: Json) -> bool:
    """Whether an API server could have such an object, as far as its type and name tell."""
    try:
        _check_object(obj)
    except ConfigError:
        return False
    return True


def _is_segment(name: str) -> bool:
    """Whether a name is one step of a path, which leads nowhere else."""
    return name not in (".", "..") and "/" not in name and "%" not in name


def _shown(value: Any) -> str:
    return "missing" if value is None else repr(str(value)[:80])


def identity(obj: Json, namespace: str = "") -> Identity:
    """Which object it is. One that names no namespace is taken to be in `namespace`, the release's.

    That a kind has no namespaces is not known here: give an empty one for it.
    """
    metadata = obj.get("metadata") or {}
    group, _, _ = str(obj.get("apiVersion") or "").rpartition("/")
    name = metadata.get("name") or metadata.get("generateName") or ""
    return Identity(group, str(obj.get("kind") or ""), metadata.get("namespace") or namespace, str(name))


def same(old: Iterable[Json], new: Iterable[Json]) -> bool:
    """Whether two manifests ask for the same.

    The order of documents and keys, fields without a value, empty labels and annotations, and how a number
    is written make no difference.
    """
    before, after = (sorted(map(_canonical_text, objects)) for objects in (old, new))
    return before == after


def has_same_objects(old: Iterable[Json], new: Iterable[Json]) -> bool:
    """Whether two manifests have the same objects, in the same versions of their kinds."""
    before, after = ({(obj["apiVersion"], identity(obj)) for obj in objects} for objects in (old, new))
    return before == after


def differences(old: Iterable[Json], new: Iterable[Json]) -> list[str]:
    """In what two manifests differ, for people: `Deployment shop: .spec.replicas: 1 → 3`.

    It is empty where they are the `same`. What is in Secrets is not shown.
    """
    before, after = _by_identity(old), _by_identity(new)
    return [
        line
        for which in {**before, **after}  # in their order, which that of a set would not be
        for line in _lines(which, before[which], after[which])
    ]


def _lines(which: Identity, old: Sequence[Json], new: Sequence[Json]) -> Iterator[str]:
    yield from [f"{which}: removed"] * (len(old) - len(new))
    yield from [f"{which}: added"] * (len(new) - len(old))
    for before, after in zip(old, new, strict=False):
        yield from (f"{which}: {told}" for told in _told(before, after))


def _told(old: Json, new: Json) -> list[str]:
    told = [str(change) for change in field_changes(old, new)]
    if old.get("apiVersion") != new.get("apiVersion"):
        told.append(f".apiVersion: {old.get('apiVersion')!r} → {new.get('apiVersion')!r}")
    if not told and not same([old], [new]):
        told.append("the order of items in a list")
    return told


def _by_identity(objects: Iterable[Json]) -> defaultdict[Identity, list[Json]]:
    found: defaultdict[Identity, list[Json]] = defaultdict(list)
    for obj in objects:
        found[identity(obj)].append(canonical(obj))
    return found


def _canonical_text(obj: Json) -> bytes:
    return orjson.dumps(canonical(obj), option=orjson.OPT_SORT_KEYS)


def canonical(obj: Json) -> Json:
    """An object in the one form that all objects which ask for the same have."""
    plain: Json = _without_nulls(obj)
    metadata = dict(plain.get("metadata") or {})
    for name in ("labels", "annotations"):
        # Of these, a value that is null is an empty text to Kubernetes, not an absent one.
        texts = {key: "" if value is None else value for key, value in _texts(obj, name).items()}
        metadata.pop(name, None)
        metadata |= {name: texts} if texts else {}
    return {**plain, "metadata": metadata} if metadata or "metadata" in plain else plain


def _texts(obj: Json, name: str) -> Json:
    found = (obj.get("metadata") or {}).get(name)
    return found if isinstance(found, dict) else {}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value


def is_kept(obj: Json) -> bool:
    """Whether `helm uninstall` leaves the object: it has a resource policy, `keep` or any other.

    Helm deletes only what has none, so a misspelt policy keeps an object, too.
    """
    return _POLICY in _texts(obj, "annotations")


def as_stored(obj: Json) -> Json:
    """The object with the texts of a Secret where the server puts them.

    It stores no `stringData`, so whether somebody has changed such a text cannot be told from who owns it.
    """
    texts = obj.get("stringData")
    if (obj.get("apiVersion"), obj.get("kind")) != ("v1", "Secret") or not isinstance(texts, dict):
        return obj
    encoded = {name: b64encode(str(text or "").encode()).decode() for name, text in texts.items()}
    rest = {name: value for name, value in obj.items() if name != "stringData"}
    return {**rest, "data": {**(obj.get("data") or {}), **encoded}}


def hook_metadata(hook: Json, release: Key) -> Json:
    """Return a hook with the annotations that Helm gives to all other objects: they name its release."""
    metadata = hook.get("metadata") or {}
    named = {
        "meta.helm.sh/release-name": release.name,
        "meta.helm.sh/release-namespace": release.namespace,
    }
    return {**hook, "metadata": {**metadata, "annotations": {**(metadata.get("annotations") or {}), **named}}}


def helm_metadata(obj: Json, release: Key) -> Json:
    """The object with the label and the annotations that Helm gives to all objects of a manifest.

    Helm gives them neither to hooks nor to the definitions in `crds/`.
    """
    metadata = canonical(obj).get("metadata", {})
    labels = {**metadata.get("labels", {}), "app.kubernetes.io/managed-by": "Helm"}
    annotations = {
        **metadata.get("annotations", {}),
        "meta.helm.sh/release-name": release.name,
        "meta.helm.sh/release-namespace": release.namespace,
    }
    return {**obj, "metadata": {**(obj.get("metadata") or {}), "labels": labels, "annotations": annotations}}
