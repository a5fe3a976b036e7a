"""Who takes part in the demo: the operators, their kinds, and the samples that are applied."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from windlass.api import Key, Resource, read_yaml
from windlass.cli.shipped import shipped
from windlass.codegen import load_project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json

_READY: Final = "Ready"


@dataclass(frozen=True, kw_only=True)
class Player:
    """One operator in the demo."""

    name: str
    kinds: tuple[type[Resource], ...]
    samples: tuple[Json, ...]

    @classmethod
    def load(cls, name: str) -> Player:
        """The operator of this name, with what its package has."""
        module = f"windlass.operators.{name}"
        import_module(module)
        folder = Path(str(files(module))) / "samples"
        texts = sorted(folder.glob("*.yaml"))
        samples = [each for path in texts for each in read_yaml(path.read_bytes(), str(path))]
        return cls(name=name, kinds=load_project(module).kinds, samples=tuple(samples))

    @property
    def shown(self) -> Sequence[type[Resource]]:
        """Its kinds, each in one version: the one that is stored."""
        found: dict[tuple[str, str], type[Resource]] = {}
        for kind in self.kinds:
            known = kind.__kind__.group, kind.__kind__.name
            if known not in found or (kind.__definition__ and kind.__definition__.storage):
                found[known] = kind
        return list(found.values())

    @property
    def expected(self) -> frozenset[tuple[str, Key]]:
        """The samples of its own kinds."""
        own = {(kind.__kind__.api_version, kind.__kind__.name) for kind in self.kinds}
        return frozenset(
            (each["kind"], Key(each["metadata"].get("namespace", "default"), each["metadata"]["name"]))
            for each in self.samples
            if (each["apiVersion"], each["kind"]) in own
        )


def load_cast() -> Sequence[Player]:
    """All operators that ship."""
    return [Player.load(name) for name in shipped()]


def ready_condition(kind: type[Resource]) -> str:
    """The condition by which a kind says that it is ready."""
    definition = kind.__definition__
    return (definition.ready if definition else "") or _READY
