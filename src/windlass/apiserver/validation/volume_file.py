"""Volumes that are files of the node, of the cluster or of an image, and claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.label import validate_labels
from windlass.apiserver.validation.meta import validate_annotations
from windlass.apiserver.validation.resource import quantity
from windlass.apiserver.validation.volume_path import (
    validate_descending,
    validate_no_backsteps,
    validate_not_reserved,
)
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Fields = Mapping[str, Any]

PULL_POLICIES: Final = ("Always", "IfNotPresent", "Never")

_LARGEST_MODE: Final = 0o777
_HOST_PATH_TYPES: Final = (
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
)
_OF_METADATA: Final = (
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "ownerReferences",
    "finalizers",
    "managedFields",
)


def required(fields: Fields, names: Sequence[str], path: Path) -> Iterator[Fault]:
    """Those of the named fields that are absent or empty."""
    for name in names:
        if not fields.get(name):
            yield Fault.required(path.child(name))


def validate_mode(fields: Fields, name: str, path: Path) -> Iterator[Fault]:
    """The permission bits of files."""
    mode = fields.get(name, 0)
    if not 0 <= mode <= _LARGEST_MODE:
        detail = "must be a number between 0 and 0777 (octal), both inclusive"
        yield Fault.invalid(path.child(name), mode, detail)


def validate_items(items: Sequence[Fields], path: Path) -> Iterator[Fault]:
    """Which keys of a ConfigMap or Secret become which files."""
    for index, item in enumerate(items):
        where = path.index(index)
        yield from required(item, ("key", "path"), where)
        yield from validate_not_reserved(item.get("path", ""), where.child("path"))
        yield from validate_mode(item, "mode", where)


def validate_pull_policy(policy: str, path: Path) -> Iterator[Fault]:
    """When an image is pulled."""
    if not policy:
        yield Fault.required(path)
    elif policy not in PULL_POLICIES:
        yield Fault.not_supported(path, policy, PULL_POLICIES)


def validate_empty_dir(source: Fields, path: Path) -> Iterator[Fault]:
    """A folder that lives as long as the pod."""
    if "sizeLimit" in source and quantity(source["sizeLimit"]) < 0:
        yield Fault.forbidden(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity")


def validate_host_path(source: Fields, path: Path) -> Iterator[Fault]:
    """A file or folder of the node."""
    if not source.get("path"):
        yield Fault.required(path.child("path"))
        return
    yield from validate_no_backsteps(source["path"], path.child("path"))
    kind = source.get("type", "")
    if kind not in _HOST_PATH_TYPES:
        yield Fault.not_supported(path.child("type"), kind, _HOST_PATH_TYPES)


def validate_git_repo(source: Fields, path: Path) -> Iterator[Fault]:
    """A clone of a repository."""
    yield from required(source, ("repository",), path)
    yield from validate_descending(source.get("directory", ""), path.child("directory"))


def validate_secret(source: Fields, path: Path) -> Iterator[Fault]:
    """The keys of a Secret as files."""
    yield from required(source, ("secretName",), path)
    yield from validate_mode(source, "defaultMode", path)
    yield from validate_items(source.get("items", ()), path.child("items"))


def validate_config_map(source: Fields, path: Path) -> Iterator[Fault]:
    """The keys of a ConfigMap as files."""
    yield from required(source, ("name",), path)
    yield from validate_mode(source, "defaultMode", path)
    yield from validate_items(source.get("items", ()), path.child("items"))


def validate_claim(source: Fields, path: Path) -> Iterator[Fault]:
    """What a claim is bound to."""
    return required(source, ("claimName",), path)


def validate_ephemeral(source: Fields, path: Path) -> Iterator[Fault]:
    """A claim that is made for the pod, from a template."""
    template = source.get("volumeClaimTemplate")
    if template is None:
        yield Fault.required(path.child("volumeClaimTemplate"))
        return
    where = path.child("volumeClaimTemplate")
    yield from _validate_template_meta(template.get("metadata", {}), where.child("metadata"))
    yield from validate_claim_spec(template.get("spec", {}), where.child("spec"))


def validate_claim_spec(spec: Fields, path: Path) -> Iterator[Fault]:
    """The spec of a claim that stands in a template."""
    from windlass.apiserver.validation.persistent_volume_claim import validate_spec  # few pods have one

    yield from validate_spec(spec, path)


def validate_image(source: Fields, path: Path) -> Iterator[Fault]:
    """The files of an image; that a pod must name the image is checked with the pod."""
    return validate_pull_policy(source.get("pullPolicy", ""), path.child("pullPolicy"))


def _validate_template_meta(meta: Fields, path: Path) -> Iterator[Fault]:
    yield from validate_annotations(meta.get("annotations"), path.child("annotations"))
    yield from validate_labels(meta.get("labels"), path.child("labels"))
    for name in _OF_METADATA:
        if meta.get(name):
            called = "uID" if name == "uid" else name
            yield Fault.forbidden(path.child(called), "cannot be set")
