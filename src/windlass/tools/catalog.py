"""The six programs, and their versions."""

from __future__ import annotations

from windlass.tools.program import GoSource, Program, Release

_KUBERNETES = "1.36.3"
_KUBERNETES_STAGING = "0.36.3"


def _kubernetes(
    name: str, *, bundle: str = "control-plane", version_arguments: tuple[str, ...] = ("--version",)
) -> Program:
    return Program(
        name=name,
        version=_KUBERNETES,
        series="1.36",
        bundle=bundle,
        version_arguments=version_arguments,
        release=Release(
            url="https://dl.k8s.io/release/v{version}/bin/{os}/{arch}/{name}",
            checksums="https://dl.k8s.io/release/v{version}/bin/{os}/{arch}/{name}.sha256",
        ),
        source=GoSource(
            module="k8s.io/kubernetes",
            package=f"k8s.io/kubernetes/cmd/{name}",
            staging=_KUBERNETES_STAGING,
            variables=tuple(
                (f"k8s.io/component-base/version.{name}", value)
                for name, value in (
                    ("gitVersion", "v{version}"),
                    ("gitMajor", "{major}"),
                    ("gitMinor", "{minor}"),
                    ("gitTreeState", "clean"),
                    ("gitCommit", "{commit}"),
                    ("buildDate", "{date}"),
                )
            ),
        ),
    )


ETCD = Program(
    name="etcd",
    version="3.6.16",
    series="3.6",
    bundle="control-plane",
    release=Release(
        url="https://github.com/etcd-io/etcd/releases/download/v{version}/etcd-v{version}-{os}-{arch}.{archive}",
        checksums="https://github.com/etcd-io/etcd/releases/download/v{version}/SHA256SUMS",
        member="etcd-v{version}-{os}-{arch}/etcd",
    ),
    source=GoSource(module="go.etcd.io/etcd/server/v3", package="go.etcd.io/etcd/server/v3"),
)
KUBE_APISERVER = _kubernetes("kube-apiserver")
KUBE_CONTROLLER_MANAGER = _kubernetes("kube-controller-manager")
KUBE_SCHEDULER = _kubernetes("kube-scheduler")
KUBECTL = _kubernetes("kubectl", bundle="kubectl", version_arguments=("version", "--client"))
HELM = Program(
    name="helm",
    version="4.3.1",
    series="4",
    bundle="helm",
    version_arguments=("version",),
    release=Release(
        url="https://get.helm.sh/helm-v{version}-{os}-{arch}.tar.gz",
        checksums="https://get.helm.sh/helm-v{version}-{os}-{arch}.tar.gz.sha256sum",
        member="{os}-{arch}/helm",
    ),
    source=GoSource(
        module="helm.sh/helm/v4",
        package="helm.sh/helm/v4/cmd/helm",
        variables=(("helm.sh/helm/v4/internal/version.version", "v{version}"),),
    ),
)

CONTROL_PLANE = (ETCD, KUBE_APISERVER, KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER)
PROGRAMS = (*CONTROL_PLANE, HELM, KUBECTL)
