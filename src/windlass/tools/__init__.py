"""Obtaining the programs that Windlass runs but does not contain: a Kubernetes control plane, Helm, kubectl.

You need this package to test on a real API server or to run charts; nothing else in Windlass starts a foreign
program. It is not a package manager: it knows six programs, each in one version.

A program is taken from the first of these places that has it:

1. the folder that `KUBEBUILDER_ASSETS` names, then `PATH`, when it is of the wanted series (Kubernetes 1.36,
   etcd 3.6, Helm 4);
2. the cache: `$WINDLASS_CACHE`, else `$XDG_CACHE_HOME/windlass`, else `~/.cache/windlass`;
3. its official release, verified against the published checksum;
4. its published Go module, built by the `go` tool.

`find_…` looks in the first two and takes no time; `install_…` goes on to the others, fills the cache, and
tells its progress line by line:

    tools = install_control_plane(report=print)
    subprocess.run([tools.etcd, "--version"])

The package is synchronous: its callers are a command line and the start of a test run, which have nothing
else to do in the meantime.
"""

from windlass.tools.cache import cache_folder
from windlass.tools.program import Found, Origin, Program
from windlass.tools.progress import Report
from windlass.tools.provide import (
    ControlPlaneTools,
    find_control_plane,
    find_helm,
    find_kubectl,
    install_control_plane,
    install_helm,
    install_kubectl,
    look_up,
)

__all__ = [
    "ControlPlaneTools",
    "Found",
    "Origin",
    "Program",
    "Report",
    "cache_folder",
    "find_control_plane",
    "find_helm",
    "find_kubectl",
    "install_control_plane",
    "install_helm",
    "install_kubectl",
    "look_up",
]
