"""A real control plane for tests: etcd and kube-apiserver, on this machine, ready in about three seconds.

You need it to see an operator meet the API server that it will meet in production. It is not a cluster:
there are no nodes, and unless asked for, no controllers. Nothing of it is left behind, even when the test run
is killed.

In pytest, ask for the fixtures and run with `--control-plane real`; one control plane serves the whole run
and all its workers:

    async def test_a_config_map_is_stored(control_plane: Access, namespace: str) -> None: ...

Elsewhere, start one yourself:

    async with ControlPlane(ControlPlaneOptions(controllers=True)) as access:
        print(access.kubeconfig)

The programs come from `windlass.tools`; `windlass tools install control-plane` provides them.
"""

from windlass.testing.access import Access
from windlass.testing.certificate import KeyPair
from windlass.testing.control_plane import ControlPlane, RunningControlPlane, start_control_plane
from windlass.testing.options import ControlPlaneOptions

__all__ = [
    "Access",
    "ControlPlane",
    "ControlPlaneOptions",
    "KeyPair",
    "RunningControlPlane",
    "start_control_plane",
]
