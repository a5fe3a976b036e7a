"""Charts that render anew each time: what differs between renders is held at what is deployed.

Templates make passwords, certificates and times. If they were deployed as rendered, each upgrade would
replace them; so two renders of one blueprint are compared, and the fields in which they differ keep the
values that they have.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from windlass.helm.gap import WHOLE, fill, gaps, replacer
from windlass.helm.manifest import Identity, identity, objects_of, same
from windlass.helm.path import ABSENT, differing, put_at, told, value_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from windlass.api import Json
    from windlass.helm.gap import Gap
    from windlass.helm.path import Path

    Gaps = tuple[Gap, ...]

_POD_ANNOTATIONS: Final = ("spec", "template", "metadata", "annotations")
_HOOK: Final = "helm.sh/hook"


@dataclass(frozen=True)
class Unstable:
    """What differs between two renders of one blueprint. It is true if anything does.

    Each path leads to its gaps if it is a text of which a part is stable, else to `WHOLE`. `nameless` are the
    kinds that have objects whose very names differ, as identities without a name. If there is one such object
    of a kind, its paths are those of that identity.
    """

    paths: Mapping[Identity, Mapping[Path, Gaps]] = field(default_factory=dict)
    nameless: frozenset[Identity] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.paths or self.nameless)

    def told(self) -> list[str]:
        """For people: `Secret web: .data.password`."""
        names = [f"{which.kind}: a name" for which in sorted(self.nameless)]
        return names + [
            f"{str(which).strip()}: {told(path)}"
            for which in sorted(self.paths)
            for path in self.paths[which]
        ]


def unstable(first: Iterable[Json], second: Iterable[Json]) -> Unstable:
    """In what two renders of one blueprint differ, hooks left out."""
    one, two = _by_identity(first), _by_identity(second)
    pairs = {which: (one[which], two[which]) for which in one if which in two}
    pairs |= {_kind(before): (one[before], two[after]) for before, after in _renamed(one, two).items()}
    paths = {which: _gaps(*pair) for which, pair in pairs.items()}
    nameless = frozenset(_kind(which) for which in one.keys() ^ two.keys())
    return Unstable({which: found for which, found in paths.items() if found}, nameless)


def hold(objects: Sequence[Json], deployed: Sequence[Json], known: Unstable) -> list[Json]:
    """What is rendered, with the deployed values in the fields that are unstable; hooks are let through.

    Of a text that is unstable in parts, the stable parts are as rendered. Annotations of pod templates may
    change, so that the checksum of something restarts pods, if anything but them changes. The order and the
    number of documents stay. Nothing that is given is changed.
    """
    if not known:
        return list(objects)
    everything = _held(objects, deployed, known, lambda *_: False)
    return everything if same(everything, deployed) else _held(objects, deployed, known, _is_pod_annotation)


def _held(
    objects: Sequence[Json], deployed: Sequence[Json], known: Unstable, is_free: Callable[[Json, Path], bool]
) -> list[Json]:
    documents = deepcopy(list(objects))
    rendered = _by_identity(obj for document in documents for obj in objects_of(document))
    before = _by_identity(deployed)
    renamed = {new: old for new, old in _renamed(rendered, before).items() if _kind(new) in known.paths}
    replaced: dict[str, str] = {}
    left: list[tuple[Json, Path]] = []
    for which, obj in rendered.items():
        old = before.get(renamed.get(which, which), {})
        for path, found in known.paths.get(_kind(which) if which in renamed else which, {}).items():
            if is_free(obj, path):
                continue
            filled = _fill(obj, old, path, found)
            replaced |= filled or {}
            left += [(obj, path)] if filled is None else []
    replace = replacer(replaced)
    for obj, path in left:
        _replace(obj, path, replace)
    return documents


def _fill(obj: Json, old: Json, path: Path, found: Gaps) -> dict[str, str] | None:
    """Put the old value of a field into its gaps; returns what took the place of what, None if it did not."""
    new, before = value_at(obj, path), value_at(old, path)
    if before is ABSENT:
        return None
    texts = [_decoded(obj, path, value) for value in (new, before)]
    if found == WHOLE or not all(isinstance(text, str) for text in texts):
        put_at(obj, path, before)
        return {texts[0]: texts[1]} if all(isinstance(text, str) for text in texts) else {}
    filled = fill(texts[0], texts[1], found)
    if filled is None:
        return None
    put_at(obj, path, _encoded(obj, path, filled.text))
    return filled.replaced


def _replace(obj: Json, path: Path, replace: Callable[[str], str]) -> None:
    text = _decoded(obj, path, value_at(obj, path))
    if isinstance(text, str):
        put_at(obj, path, _encoded(obj, path, replace(text)))


def _gaps(first: Json, second: Json) -> dict[Path, Gaps]:
    found: dict[Path, Gaps] = {}
    for path in differing(first, second):
        one, two = (_decoded(obj, path, value_at(obj, path)) for obj in (first, second))
        found[path] = gaps(one, two) if isinstance(one, str) and isinstance(two, str) else WHOLE
    return found


def _is_encoded(obj: Json, path: Path) -> bool:
    return obj.get("kind") == "Secret" and path[:1] == ("data",)


def _decoded(obj: Json, path: Path, value: Any) -> Any:
    """What a value says: in a Secret it is encoded. Binary content is no text."""
    if not _is_encoded(obj, path) or not isinstance(value, str):
        return value
    try:
        return b64decode(value, validate=True).decode()
    except ValueError:
        return value.encode()


def _encoded(obj: Json, path: Path, text: str) -> str:
    return b64encode(text.encode()).decode() if _is_encoded(obj, path) else text


def _is_pod_annotation(obj: Json, path: Path) -> bool:
    """Whether a field can restart pods; the template of a Job can not be changed at all."""
    return path[:4] == _POD_ANNOTATIONS and obj.get("kind") != "Job"


def _by_identity(objects: Iterable[Json]) -> dict[Identity, Json]:
    return {
        identity(obj): obj
        for obj in objects
        if _HOOK not in ((obj.get("metadata") or {}).get("annotations") or {})
    }


def _renamed(one: Mapping[Identity, Json], two: Mapping[Identity, Json]) -> dict[Identity, Identity]:
    """The objects that have another name in the other render, where there is no doubt which they are."""
    unpaired: defaultdict[Identity, tuple[list[Identity], list[Identity]]] = defaultdict(lambda: ([], []))
    for side, (mine, others) in enumerate(((one, two), (two, one))):
        for which in mine:
            if which not in others:
                unpaired[_kind(which)][side].append(which)
    return {left[0]: right[0] for left, right in unpaired.values() if len(left) == len(right) == 1}


def _kind(which: Identity) -> Identity:
    return which._replace(name="")
