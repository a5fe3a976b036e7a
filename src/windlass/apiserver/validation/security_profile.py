"""Seccomp and AppArmor profiles, as fields and as the annotations that came before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.validation.volume_path import validate_descending
from windlass.schema import Fault, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Fields = Mapping[str, Any]

_TYPES: Final = ("Localhost", "RuntimeDefault", "Unconfined")
_PROFILE: Final = "localhostProfile"
_PROFILE_LENGTH: Final = 4095
_SECCOMP_POD: Final = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_CONTAINER: Final = "container.seccomp.security.alpha.kubernetes.io/"
_APP_ARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_LOCALHOST: Final = "localhost/"
_DEFAULTS: Final = ("runtime/default", "docker/default")


def validate_seccomp(profile: Fields, path: Path) -> Iterator[Fault]:
    """A seccomp profile."""
    kind = profile.get("type", "")
    if not kind:
        yield Fault.required(path.child("type"), "type is required when seccompProfile is set")
    elif kind not in _TYPES:
        yield Fault.not_supported(path.child("type"), kind, _TYPES)
    if kind != "Localhost":
        if _PROFILE in profile:
            shown = {"Type": kind, "LocalhostProfile": profile[_PROFILE]}
            yield Fault.invalid(path.child(_PROFILE), shown, "can only be set when seccomp type is Localhost")
    elif _PROFILE not in profile:
        yield Fault.required(path.child(_PROFILE), "must be set when seccomp type is Localhost")
    else:
        yield from validate_descending(profile[_PROFILE], path.child(_PROFILE))


def validate_app_armor(profile: Fields, path: Path) -> Iterator[Fault]:
    """An AppArmor profile."""
    kind = profile.get("type", "")
    if kind == "Localhost":
        yield from _validate_local(profile, path.child(_PROFILE))
    elif not kind:
        yield Fault.required(path.child("type"), "type is required when appArmorProfile is set")
    elif kind not in _TYPES:
        yield Fault.not_supported(path.child("type"), kind, _TYPES)
    elif _PROFILE in profile:
        detail = "can only be set when AppArmor type is Localhost"
        yield Fault.invalid(path.child(_PROFILE), profile[_PROFILE], detail)


def validate_profile_annotations(
    annotations: Mapping[str, str], containers: set[str], path: Path
) -> Iterator[Fault]:
    """The annotations on their own: known profiles, of containers that there are."""
    if _SECCOMP_POD in annotations:
        yield from _validate_seccomp_name(annotations[_SECCOMP_POD], path.child(_SECCOMP_POD))
    for key, value in annotations.items():
        if key.startswith(_SECCOMP_CONTAINER):
            yield from _validate_seccomp_name(value, path.child(key))
    for key, value in annotations.items():
        if not key.startswith(_APP_ARMOR):
            continue
        name = key.removeprefix(_APP_ARMOR)
        if name not in containers:
            yield Fault.invalid(path.key(key), name, "container not found")
        if value not in ("", "runtime/default", "unconfined") and not value.startswith(_LOCALHOST):
            yield Fault.invalid(path.key(key), value, f'invalid AppArmor profile name: "{value}"')


def validate_profile_agreement(
    annotations: Mapping[str, str], spec: Fields, containers: list[tuple[Fields, Path]], path: Path
) -> Iterator[Fault]:
    """Annotations and fields that speak of the same profile must say the same."""
    pod = spec.get("securityContext", {})
    if "seccompProfile" in pod and _SECCOMP_POD in annotations:
        where = path.child("securityContext", "seccompProfile")
        yield from _compare(annotations[_SECCOMP_POD], pod["seccompProfile"], where, "seccomp")
    for container, where in containers:
        profile = container.get("securityContext", {}).get("seccompProfile")
        value = annotations.get(_SECCOMP_CONTAINER + container.get("name", ""))
        if profile is not None and value is not None:
            yield from _compare(value, profile, where.child("securityContext", "seccompProfile"), "seccomp")
    if spec.get("os", {}).get("name") == "windows":
        return
    for container, where in containers:
        own = container.get("securityContext", {})
        profile = own.get("appArmorProfile", pod.get("appArmorProfile"))
        value = annotations.get(_APP_ARMOR + container.get("name", ""))
        if profile is not None and value is not None:
            yield from _compare(value, profile, where.child("securityContext", "appArmorProfile"), "apparmor")


def is_app_armor(key: str) -> bool:
    """Whether an annotation names a container's AppArmor profile, which cannot change."""
    return key.startswith(_APP_ARMOR)


def _validate_local(profile: Fields, path: Path) -> Iterator[Fault]:
    name = profile.get(_PROFILE, "")
    if name != name.strip():
        yield Fault.invalid(path, name, "must not be padded with whitespace")
    elif not name:
        yield Fault.required(path, "must be set when AppArmor type is Localhost")
    if len(name.encode()) > _PROFILE_LENGTH:
        yield Fault.too_long(path, _PROFILE_LENGTH)


def _validate_seccomp_name(name: str, path: Path) -> Iterator[Fault]:
    if name in (*_DEFAULTS, "unconfined"):
        return
    if name.startswith(_LOCALHOST):
        yield from validate_descending(name.removeprefix(_LOCALHOST), path)
    else:
        yield Fault.invalid(path, name, "must be a valid seccomp profile")


def _compare(annotation: str, profile: Fields, path: Path, family: str) -> Iterator[Fault]:
    kind = profile.get("type", "")
    if kind == "Localhost" and annotation.startswith(_LOCALHOST):
        if annotation.removeprefix(_LOCALHOST) != profile.get(_PROFILE):
            detail = f"{family} profile in annotation and field must match"
            yield Fault.forbidden(path.child(_PROFILE), detail)
        return
    defaults = _DEFAULTS if family == "seccomp" else _DEFAULTS[:1]
    said = {"Unconfined": ("unconfined",), "RuntimeDefault": defaults, "Localhost": ()}.get(kind)
    if said is not None and annotation not in said:
        yield Fault.forbidden(path.child("type"), f"{family} type in annotation and field must match")
