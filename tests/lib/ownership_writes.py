"""The life of a random object: one write after the other, each with our answer and the oracle's question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from ownership_cases import GROUP, KIND, VERSIONS
from ownership_values import Values
from windlass.schema.ownership import OwnershipConflict, Unfit, Writer, applied, updated
from windlass.schema.value import copied

if TYPE_CHECKING:
    from ownership_cases import Chance, Kind, Object

MANAGERS = ("x", "y", "z", "kubectl", "")
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
RESETS: dict[str, list[Object]] = {
    "": [{}, {"f:status": {}}],
    "status": [{"f:spec": {}}, {"f:spec": {}, "f:metadata": {}}, {"f:spec": {"f:a": {}}}],
}
ONLY: list[Object] = [
    {"f:spec": {"f:a": {}}},
    {"f:spec": {"*": {"f:a": {}}}},
    {"f:spec": {"f:b": {"*": {}}}, "f:status": {}},
]
ODD: list[Any] = ["text", 5, True, None, {}, {"z": 1}, [None], [{"z": 1}], [[1]], [1, 1]]


@dataclass(frozen=True)
class Outcome:
    """What came of a write: the object, or why it was refused, perhaps with the conflicts."""

    found: Object | None = None
    error: str = ""
    causes: tuple[tuple[tuple[str, str], ...], ...] = ()


@dataclass(frozen=True)
class Asked:
    """One write: the question for the oracle, when it is made, and our answer."""

    request: Object
    now: str
    outcome: Outcome


class Life:
    """An object from its creation on."""

    def __init__(self, kind: Kind, chance: Chance) -> None:
        self._kind = kind
        self._chance = chance
        self._random = chance.random
        self._live: Object | None = None
        self._applied: dict[str, Object] = {}
        self._age = 0
        self._crowded = chance.happens(0.1)
        self._managers = tuple(f"m{number}" for number in range(20)) if self._crowded else MANAGERS

    def write(self) -> Asked:
        """Make the next write."""
        self._age += 1
        now = f"2001-01-01T{self._age // 3600:02}:{self._age // 60 % 60:02}:{self._age % 60:02}Z"
        version = self._random.choice((*VERSIONS, VERSIONS[0]))
        live = self._at(version)
        if self._chance.happens(0.1 if self._crowded else 0.5):
            return self._apply(live, version, now)
        return self._update(live, version, now)

    def _at(self, version: str) -> Object | None:
        if self._live is None:
            return None
        api_version = f"{GROUP}/{version}"
        is_same = self._live["apiVersion"] == api_version
        out: Object = copied(self._live if is_same else self._kind.convert(self._live, api_version))
        if self._kind.custom and self._chance.happens(0.02):
            out |= {name: self._damaged(out[name]) for name in ("spec", "status") if name in out}
        return out

    def _damaged(self, value: Any) -> Any:
        """A value that need not fit, as one that was stored under another schema."""
        if isinstance(value, dict) and value and self._chance.happens(0.85):
            name = self._random.choice(list(value))
            return {**value, name: self._damaged(value[name])}
        if isinstance(value, list) and value and self._chance.happens(0.7):
            position = self._random.randrange(len(value))
            return [*value[:position], self._damaged(value[position]), *value[position + 1 :]]
        return copied(self._random.choice(ODD))

    def _update(self, live: Object | None, version: str, now: str) -> Asked:
        new = self._object(version, 0.1) if live is None else self._changed(live, version)
        request = self._request(live, new, version)
        writer = Writer(request["manager"], now, f"{GROUP}/{version}", request["subresource"])
        rules = replace(self._kind.rules, reset=request["reset"], only=request["only"])
        updated(live, new, writer, rules)
        new.setdefault("metadata", {}).setdefault("uid", "1")
        self._live = new
        return Asked({"write": request}, now, Outcome(new))

    def _apply(self, live: Object | None, version: str, now: str) -> Asked:
        config = self._config(live, version)
        request = self._request(live, config, version)
        request["apply"] = True
        request["force"] = self._chance.happens(0.4)
        writer = Writer(request["manager"], now, f"{GROUP}/{version}", request["subresource"])
        rules = replace(self._kind.rules, reset=request["reset"], only=request["only"])
        request = copied(request)
        try:
            new = applied(live, config, writer, rules, force=request["force"])
        except OwnershipConflict as conflict:
            causes = tuple(sorted(tuple(sorted(cause.items())) for cause in conflict.causes))
            return Asked({"write": request}, now, Outcome(error=str(conflict), causes=causes))
        except Unfit as unfit:
            return Asked({"write": request}, now, Outcome(error=str(unfit)))
        self._applied[request["manager"]] = config
        new.setdefault("metadata", {}).setdefault("uid", "1")
        self._live = new
        return Asked({"write": request}, now, Outcome(new))

    def _request(self, live: Object | None, value: Object, version: str) -> Object:
        subresource = self._random.choice(("", "", "", "status"))
        reset = self._random.choice(RESETS[subresource])
        only = self._random.choice(ONLY) if not reset and self._chance.happens(0.1) else None
        versions = [f"{GROUP}/{each}" for each in VERSIONS]
        out: Object = copied(
            {
                "kind": self._kind.name,
                "manager": self._random.choice(self._managers),
                "version": version,
                "subresource": subresource,
                "reset": dict.fromkeys(versions, reset) if reset else {},
                "only": dict.fromkeys(versions, only) if only else {},
                "live": live,
                "object": value,
            }
        )
        return out

    def _object(self, version: str, doubles: float) -> Object:
        """A fresh object."""
        values = Values(self._chance, doubles)
        schema = self._kind.schema(version)
        content = {
            name: values.of(schema["properties"][name])
            for name in self._chance.some(["spec", "spec", "status"])
        }
        metadata = {"name": "w", **values.metadata()}
        return {"apiVersion": f"{GROUP}/{version}", "kind": KIND, "metadata": metadata, **content}

    def _changed(self, live: Object, version: str) -> Object:
        """What somebody puts in the place of an object."""
        share = self._random.choice((0.1, 0.3, 0.7))
        doubles = self._random.choice((0.0, 0.1, 0.5))
        new: Object = mixed(live, self._object(version, doubles), self._chance, share)
        if self._crowded and self._chance.happens(0.9):  # each its own label, so that nobody loses anything
            labels = {**(live["metadata"].get("labels") or {}), f"l{self._age}": "x"}
            new = {**live, "metadata": {**live["metadata"], "labels": labels}}
        new["metadata"] = {**new["metadata"], "name": "w", "uid": live["metadata"]["uid"]}
        new["apiVersion"], new["kind"] = live["apiVersion"], live["kind"]
        entries = live["metadata"].get("managedFields")
        match self._random.randint(0, 9):
            case 0:
                entries = None
            case 1 if self._chance.happens(0.0 if self._crowded else 0.3):
                entries = self._random.choice([[], [{}]])
            case 2 | 3:
                entries = self._tampered(entries or [])
        new["metadata"].pop("managedFields", None)
        if entries is not None or self._chance.happens(0.5):
            new["metadata"]["managedFields"] = entries
        return new

    def _config(self, live: Object | None, version: str) -> Object:
        """What somebody applies: something new, what it applied before, what is there, or parts of these."""
        config: Object = self._object(version, 0.1 if self._chance.happens(0.02) else 0.0)
        last = self._applied.get(self._random.choice(self._managers))
        if last is not None and last["apiVersion"] == config["apiVersion"] and self._chance.happens(0.5):
            config = mixed(last, config, self._chance, self._random.choice((0.0, 0.1, 0.5)))
        elif live is not None and self._chance.happens(0.3):
            config = mixed(live, config, self._chance, self._random.choice((0.0, 0.2)))
        if self._chance.happens(0.02):
            config["spec"] = self._random.choice(["text", 1, [1], {"unknown": 1}, {"unknown": {"x": 1}}])
        elif self._chance.happens(0.1):
            config["spec"] = self._random.choice([None, {}])
        config = copied(config)
        metadata = config["metadata"] = {**config["metadata"], "name": "w"}
        config["apiVersion"], config["kind"] = f"{GROUP}/{version}", KIND
        for name in ("uid", "managedFields"):
            metadata.pop(name, None)
        if self._chance.happens(0.1):
            annotations = metadata.get("annotations") or {}
            metadata["annotations"] = {**annotations, LAST_APPLIED: orjson.dumps(live or {}).decode()}
        return config

    def _tampered(self, entries: list[Object]) -> list[Any]:
        """Managed fields that somebody edited."""
        out = [copied(entry) for entry in entries if self._chance.happens(0.8)]
        for entry in out:
            if self._chance.happens(0.5):
                entry["fieldsV1"] = self._fewer(entry["fieldsV1"])
            if self._chance.happens(0.2):
                entry["fieldsV1"] = self._more(entry["fieldsV1"])
            if self._chance.happens(0.02):
                entry["fieldsV1"] = {**entry["fieldsV1"], "f:apiVersion": {}}
            if self._chance.happens(0.1):
                entry["apiVersion"] = self._random.choice([f"{GROUP}/v9", "v1", f"{GROUP}/v1", f"{GROUP}/v2"])
            if self._chance.happens(0.05):
                entry[self._random.choice(["operation", "apiVersion", "fieldsType"])] = "nonsense"
            if self._chance.happens(0.05):
                entry["fieldsV1"] = self._random.choice(
                    [{"nonsense": 1}, {"x:later": {}}, {"v:{": {}}, {"f:a": None}]
                )
        return out

    def _fewer(self, fields: Object) -> Object:
        return {
            step: self._fewer(below) if self._chance.happens(0.9) else {}
            for step, below in fields.items()
            if self._chance.happens(0.9)
        }

    def _more(self, fields: Object) -> Object:
        """A set with something below what was a leaf, as left by a schema in which it had parts."""
        return {
            step: self._more(below) if below else self._random.choice([{}, {}, {"f:a": {}}, {"v:1": {}}])
            for step, below in fields.items()
        }


def mixed(one: Any, other: Any, chance: Chance, share: float) -> Any:
    """A value with some of its parts taken from another."""
    if chance.happens(share * 0.3):
        return other
    if isinstance(one, dict) and isinstance(other, dict):
        out = {}
        for name in {**one, **other}:
            if name in one and name in other:
                out[name] = mixed(one[name], other[name], chance, share)
            elif (name in one) is not chance.happens(share):
                out[name] = one.get(name, other.get(name))
        return out
    if isinstance(one, list) and isinstance(other, list) and chance.happens(share):
        return [item for item in (*one, *other) if chance.happens(0.7)]
    return one
