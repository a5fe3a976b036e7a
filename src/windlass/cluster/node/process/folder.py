from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.kinds.core.v1 import Pod
    from windlass.kinds.core.v1.pod_spec import Container, VolumeMount

_PRIVATE: Final = 0o600


class PodFolder:
    """What a pod has on disk: its volumes, and for each container a root in which they are mounted.

    A process cannot have another root, so a container's mounts lie below its root: `/etc/config` is
    `ROOT/etc/config`, a link to the volume. `located` rewrites paths accordingly.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._volumes = path / "volumes"

    def write(self, volumes: Mapping[str, Mapping[str, bytes]]) -> None:
        """Bring the files of volumes up to date; each changes at once, and those that are gone go."""
        for name, files in volumes.items():
            folder = self._volumes / name
            folder.mkdir(parents=True, exist_ok=True)
            for path, content in files.items():
                _replace(folder / path, content)
            if files:
                self._remove_others(folder, files)

    def mount(self, pod: Pod, container: Container) -> Path:
        """The root of a container, with everything mounted."""
        root = self.root(container.name)
        root.mkdir(parents=True, exist_ok=True)
        hosts = {each.name: each.host_path.path for each in pod.spec.volumes if each.host_path}
        for mount in sorted(container.volume_mounts, key=lambda each: each.mount_path):
            volume = Path(hosts[mount.name]) if mount.name in hosts else self._volumes / mount.name
            _link(root / mount.mount_path.strip("/"), _target(volume, mount))
        return root

    def root(self, container: str) -> Path:
        """Where the mounts of a container lie."""
        return self.path / "roots" / container

    def located(self, text: str, container: Container) -> str:
        """A text in which the mount paths of a container lead to where they are.

        All in one pass: our own folder may lie below one of them, as `/tmp` often is both.
        """
        root = str(self.root(container.name))
        mounts = [path for each in container.volume_mounts if (path := each.mount_path.rstrip("/"))]
        paths = "|".join(map(re.escape, [root, *sorted(mounts, key=len, reverse=True)]))

        def place(found: re.Match[str]) -> str:
            return root if found[0] == root else f"{root}{found[0]}"

        return re.sub(rf"(?<![\w./-])(?:{paths})(?![\w.-])", place, text)

    def private(self, name: str, text: str) -> Path:
        """Write a file beside the volumes that nobody else can read; returns where it is."""
        self.path.mkdir(parents=True, exist_ok=True)
        _replace(self.path / name, text.encode())
        return self.path / name

    def remove(self) -> None:
        """Remove everything; what links lead to outside of it stays."""
        shutil.rmtree(self.path, ignore_errors=True)

    def _remove_others(self, folder: Path, files: Iterable[str]) -> None:
        wanted = {folder / each for each in files}
        for found in folder.rglob("*"):
            if found.is_file() and found not in wanted:
                found.unlink()


def _target(volume: Path, mount: VolumeMount) -> Path:
    if not mount.sub_path:
        volume.mkdir(parents=True, exist_ok=True)
        return volume
    target = volume / mount.sub_path
    if not target.exists():
        target.mkdir(parents=True)
    return target


def _link(place: Path, target: Path) -> None:
    """Let a path lead to another."""
    if place.is_symlink() and place.readlink() == target:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink():
        place.unlink()
    if not place.exists():  # a mount inside of another one lies in that volume
        place.symlink_to(target)


def _replace(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    new.replace(path)
