from __future__ import annotations

from typing import TYPE_CHECKING

from pod_story import pod_of
from windlass.cluster.node.process.folder import PodFolder

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.kinds.core.v1 import Pod


def _pod() -> Pod:
    mounts = [
        {"name": "settings", "mountPath": "/etc/settings"},
        {"name": "scratch", "mountPath": "/data", "subPath": "deep/er"},
    ]
    return pod_of(containers=[{"name": "main", "image": "web:1", "volumeMounts": mounts}])


def test_volumes_are_mounted_below_the_root_of_a_container(tmp_path: Path) -> None:
    pod, folder = _pod(), PodFolder(tmp_path / "pod")
    folder.write({"settings": {"mode": b"fast", "sub/x": b"y"}, "scratch": {}})
    root = folder.mount(pod, pod.spec.containers[0])
    assert (root / "etc/settings/mode").read_bytes() == b"fast"
    assert (root / "etc/settings/sub/x").read_bytes() == b"y"
    (root / "data/file").write_text("kept")
    assert (tmp_path / "pod/volumes/scratch/deep/er/file").read_text() == "kept"
    assert folder.mount(pod, pod.spec.containers[0]) == root
    folder.remove()
    assert not (tmp_path / "pod").exists()


def test_files_change_and_go_with_their_sources_and_scratch_stays(tmp_path: Path) -> None:
    folder = PodFolder(tmp_path)
    folder.write({"settings": {"mode": b"fast", "old": b"x"}, "scratch": {}})
    (tmp_path / "volumes/scratch/mine").write_text("kept")
    folder.write({"settings": {"mode": b"slow"}, "scratch": {}})
    assert (tmp_path / "volumes/settings/mode").read_bytes() == b"slow"
    assert not (tmp_path / "volumes/settings/old").exists()
    assert (tmp_path / "volumes/scratch/mine").exists()
    assert (tmp_path / "volumes/settings/mode").stat().st_mode & 0o077 == 0


def test_paths_of_mounts_lead_to_where_they_are_and_others_stay(tmp_path: Path) -> None:
    container, folder = _pod().spec.containers[0], PodFolder(tmp_path)
    root = folder.root("main")
    assert folder.located("--config=/etc/settings/mode", container) == f"--config={root}/etc/settings/mode"
    assert folder.located("/data", container) == f"{root}/data"
    for other in ("/etc/settings-old", "/database", "/srv/data", "plain"):
        assert folder.located(other, container) == other


def test_a_mount_above_our_own_folder_does_not_lead_astray(tmp_path: Path) -> None:
    mounts = [{"name": "tmp", "mountPath": str(tmp_path)}, {"name": "certs", "mountPath": "/var/run/certs"}]
    pod = pod_of(containers=[{"name": "main", "image": "web:1", "volumeMounts": mounts}])
    container, folder = pod.spec.containers[0], PodFolder(tmp_path / "pod")
    root = folder.root("main")

    assert (
        folder.located(f"/var/run/certs {tmp_path}/x", container)
        == f"{root}/var/run/certs {root}{tmp_path}/x"
    )
    located = folder.located("/var/run/certs", container)
    assert folder.located(located, container) == located
