"""The files by which `kubectl apply -k` finds the others.

They are called `Kustomization`, which kustomize knows as well as `kustomization.yaml`: so `kubectl apply -f`
of a folder, which takes every `.yaml` for an object, works too. Names are whole in every file, without a
prefix that kustomize would have to add; an overlay may still add one, or say another namespace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import read_yaml
from windlass.codegen.files import yaml_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import Json
    from windlass.codegen.project import Project

_DEFAULT: Final = ("crd", "rbac", "manager", "network-policy", "webhook")
_FOLDERS: Final = (*_DEFAULT, "prometheus", "samples")


def kustomizations(project: Project, files: Mapping[str, str]) -> dict[str, str]:
    """A `Kustomization` for each folder of the files, and one of all that is applied by default."""
    there = {name.partition("/")[0] for name in files}
    made: dict[str, Json] = {
        folder: _kustomization(
            [name.removeprefix(f"{folder}/") for name in sorted(files) if _in(name, folder)]
        )
        for folder in _FOLDERS
        if folder in there
    }
    made["default"] = _default(project.place, files, [each for each in _DEFAULT if each in there])
    return {
        f"{folder}/Kustomization": yaml_file("manager", project.operator, [document])
        for folder, document in made.items()
    }


def _default(place: str, files: Mapping[str, str], folders: Sequence[str]) -> Json:
    """All that is applied by default; in one namespace, unless there are roles for others."""
    chosen = [text for name, text in files.items() if name.partition("/")[0] in folders]
    places = {each["metadata"].get("namespace", place) for text in chosen for each in read_yaml(text)}
    return _kustomization([f"../{folder}" for folder in folders], place if places == {place} else "")


def _kustomization(resources: Sequence[str], namespace: str = "") -> Json:
    document: dict[str, Any] = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return document | ({"namespace": namespace} if namespace else {}) | {"resources": list(resources)}


def _in(name: str, folder: str) -> bool:
    return name.startswith(f"{folder}/")
