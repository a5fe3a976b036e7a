"""What a Ptemplate asks for, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from templating import MODULES, ptemplate, real_definition
from windlass.api import Key
from windlass.client import Client
from windlass.errors import Terminal
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.operators.ptemplate.desired import (
    check_name,
    consumer_name,
    consumers_of,
    module_of,
    ptemplate_of,
)
from windlass.operators.ptemplate.kmm import Module
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.cluster import Cluster

SELECTOR = {"node-role.kubernetes.io/worker": "worker"}
PLUGIN = "quay.io/chrisp262/pt-device-plugin"
MODULE = {
    "apiVersion": "kmm.sigs.x-k8s.io/v1beta1",
    "kind": "Module",
    "metadata": {"name": "pt", "namespace": "ns"},
    "spec": {
        "selector": SELECTOR,
        "moduleLoader": {
            "container": {
                "modprobe": {"moduleName": "ptemplate_char_dev", "parameters": ["max_dev=5"]},
                "kernelMappings": [
                    {
                        "regexp": "^.+$",
                        "containerImage": "quay.io/chrisp262/pt-char-dev:${KERNEL_FULL_VERSION}-sb",
                    }
                ],
                "imagePullPolicy": "Always",
            }
        },
        "devicePlugin": {"container": {"image": f"{PLUGIN}:latest", "imagePullPolicy": "Always"}},
    },
}
LABELS = {"app": "pt", "pt.example.com/consumer": "pt"}
CONTAINER = {
    "name": "consumer",
    "image": f"{PLUGIN}:consumer-latest",
    "imagePullPolicy": "Always",
    "resources": {"limits": {"example.com/ptemplate": "1"}},
    "securityContext": {"privileged": True},
    "volumeMounts": [{"name": "host-dev", "mountPath": "/hostdev"}],
}
DAEMON_SET = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "pt-consumer", "namespace": "ns", "labels": LABELS},
    "spec": {
        "selector": {"matchLabels": LABELS},
        "template": {
            "metadata": {"labels": LABELS},
            "spec": {
                "containers": [CONTAINER],
                "nodeSelector": {**SELECTOR, "kmm.node.kubernetes.io/ns.pt.ready": ""},
                "volumes": [{"name": "host-dev", "hostPath": {"path": "/dev"}}],
            },
        },
    },
}
TOLERATIONS = [{"key": "gpu", "operator": "Exists"}]
MAPPINGS = [{"literal": "6.1.0", "containerImage": "quay.io/example/m:1"}]


def changed(base: Any, path: str, value: Any) -> Any:
    """A copy with another value at a path; None takes the field away, and a number is a place in a list."""
    name, _, rest = path.partition(".")
    if name.isdigit():
        return [changed(each, rest, value) if at == int(name) else each for at, each in enumerate(base)]
    copy = dict(base)
    if rest:
        copy[name] = changed(base.get(name, {}), rest, value)
    elif value is None:
        del copy[name]
    else:
        copy[name] = value
    return copy


LOADER, PLUGIN_PART = "spec.moduleLoader.container", "spec.devicePlugin"
POD = "spec.template.spec"
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "nothing else": ({}, {}, {}),
    "devices": (
        {"maxdev": 9, "requiredDevices": 3},
        {f"{LOADER}.modprobe.parameters": ["max_dev=9"]},
        {f"{POD}.containers.0.resources.limits": {"example.com/ptemplate": "3"}},
    ),
    "a message": (
        {"defaultmsg": "hello"},
        {f"{LOADER}.modprobe.parameters": ["max_dev=5", "default_msg=hello"]},
        {},
    ),
    "a plugin": ({"deviceplugin": "q.io/p:1"}, {f"{PLUGIN_PART}.container.image": "q.io/p:1"}, {}),
    "a consumer": ({"consumer": "q.io/c:1"}, {}, {f"{POD}.containers.0.image": "q.io/c:1"}),
    "a consumer by its other name": (
        {"consumerimage": "q.io/c:2"},
        {},
        {f"{POD}.containers.0.image": "q.io/c:2"},
    ),
    "a secret": (
        {"imagePullSecret": {"name": "s"}},
        {"spec.imageRepoSecret": {"name": "s"}},
        {f"{POD}.imagePullSecrets": [{"name": "s"}]},
    ),
    "a secret by its other name": (
        {"imageRepoSecret": {"name": "t"}},
        {"spec.imageRepoSecret": {"name": "t"}},
        {f"{POD}.imagePullSecrets": [{"name": "t"}]},
    ),
    "nodes": (
        {"selector": {"a": "b"}},
        {"spec.selector": {"a": "b"}},
        {f"{POD}.nodeSelector": {"a": "b", "kmm.node.kubernetes.io/ns.pt.ready": ""}},
    ),
    "nodes without the module": (
        {"consumerNodeSelectorFromReadyLabel": False},
        {},
        {f"{POD}.nodeSelector": SELECTOR},
    ),
    "a module": ({"moduleName": "other"}, {f"{LOADER}.modprobe.moduleName": "other"}, {}),
    "an image of the module": (
        {"moduleImage": "q.io/m:2"},
        {f"{LOADER}.kernelMappings": [{"regexp": "^.+$", "containerImage": "q.io/m:2"}]},
        {},
    ),
    "kernels": ({"kernelMappings": MAPPINGS}, {f"{LOADER}.kernelMappings": MAPPINGS}, {}),
    "a version": ({"version": "1.0"}, {f"{LOADER}.version": "1.0"}, {}),
    "a policy": (
        {"imagePullPolicy": "IfNotPresent"},
        {
            f"{LOADER}.imagePullPolicy": "IfNotPresent",
            f"{PLUGIN_PART}.container.imagePullPolicy": "IfNotPresent",
        },
        {f"{POD}.containers.0.imagePullPolicy": "IfNotPresent"},
    ),
    "tolerations": (
        {"tolerations": TOLERATIONS},
        {"spec.tolerations": TOLERATIONS},
        {f"{POD}.tolerations": TOLERATIONS},
    ),
    "a resource": (
        {"resourceName": "e.com/x"},
        {},
        {f"{POD}.containers.0.resources.limits": {"e.com/x": "1"}},
    ),
    "accounts": (
        {"devicePluginServiceAccountName": "p", "consumerServiceAccountName": "c"},
        {f"{PLUGIN_PART}.serviceAccountName": "p"},
        {f"{POD}.serviceAccountName": "c"},
    ),
    "no privileges": (
        {"privileged": False},
        {},
        {
            f"{POD}.containers.0.securityContext": None,
            f"{POD}.containers.0.volumeMounts": None,
            f"{POD}.volumes": None,
        },
    ),
}


@pytest.mark.parametrize(("spec", "module", "daemon_set"), CASES.values(), ids=CASES)
def test_each_field_has_its_place(
    spec: dict[str, Any], module: dict[str, Any], daemon_set: dict[str, Any]
) -> None:
    expected_module, expected_set = MODULE, DAEMON_SET
    for path, value in module.items():
        expected_module = changed(expected_module, path, value)
    for path, value in daemon_set.items():
        expected_set = changed(expected_set, path, value)

    assert module_of(ptemplate("pt", "ns", **spec)).to_wire() == expected_module
    assert consumers_of(ptemplate("pt", "ns", **spec)).to_wire() == expected_set


async def test_the_real_definition_of_a_module_takes_all_of_it(api_server: Cluster) -> None:
    definition = real_definition()
    if definition is None:
        pytest.skip("needs KMM's definition: WINDLASS_KMM_MODULE_CRD is its file")
    client = Client(api_server.transport())
    await client.create(CustomResourceDefinition.from_wire(definition))

    for number, (spec, *_) in enumerate(CASES.values()):
        made = module_of(ptemplate(f"pt-{number}", "default", **spec))
        assert _held((await client.create(made)).to_wire()["spec"], made.to_wire()["spec"])


async def test_the_definition_that_stands_in_takes_all_of_it(api_server: Cluster) -> None:
    client = Client(api_server.transport())
    await install_kinds(client, [Module])
    found = await client.get(CustomResourceDefinition, MODULES)
    real = real_definition()

    for number, (spec, *_) in enumerate(CASES.values()):
        made = module_of(ptemplate(f"pt-{number}", "default", **spec))
        assert _held((await client.create(made)).to_wire()["spec"], made.to_wire()["spec"])
    if real is not None:
        ours, theirs = (each["spec"] for each in (found.to_wire(), real))
        assert (ours["group"], ours["names"], ours["scope"]) == (
            theirs["group"],
            theirs["names"],
            theirs["scope"],
        )


def _held(found: Any, wanted: Any) -> bool:
    """Whether a server kept all that it was sent; it may have added defaults."""
    if isinstance(wanted, dict):
        return all(name in found and _held(found[name], value) for name, value in wanted.items())
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(_held, found, wanted))
    return bool(found == wanted)


def test_name_and_namespace_fit_into_the_labels_of_kmm() -> None:
    check_name(Key("abc", "p" * 38))
    with pytest.raises(Terminal, match="42 characters, of which KMM"):
        check_name(Key("abc", "p" * 39))


@pytest.mark.parametrize(
    ("daemon_set", "name"), [("pt-consumer", "pt"), ("a-consumer-consumer", "a-consumer"), ("web", "")]
)
def test_a_daemon_set_tells_its_ptemplate(daemon_set: str, name: str) -> None:
    assert ptemplate_of(daemon_set) == name
    if name:
        assert consumer_name(name) == daemon_set
