"""What the server takes for a Ptemplate, and what it answers to the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from templating import ptemplate
from windlass.api import ObjectMeta, Untyped
from windlass.client import MergePatch
from windlass.codegen import load_project
from windlass.errors import Invalid
from windlass.operators.ptemplate import Ptemplate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from templating import Templating
    from windlass.client import Client

IMAGE = "quay.io/example/c:1"


@pytest.fixture
async def client(templating: Templating) -> AsyncIterator[Client]:
    """A user of a server that has the kind."""
    async with templating(whole=False, simulated=False) as bench:
        yield bench.client


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no selector": ({"selector": None}, "spec.selector"),
    "an empty selector": ({"selector": {}}, "spec.selector"),
    "a selector that is no label": ({"selector": {"a b": "c"}}, "selector has labels of nodes"),
    "a value that is no label": ({"selector": {"a": "b c"}}, "spec.selector.a"),
    "no devices": ({"maxdev": 0}, "spec.maxdev"),
    "no device each": ({"requiredDevices": 0}, "spec.requiredDevices"),
    "more than there are": ({"maxdev": 2, "requiredDevices": 3}, "must not exceed maxdev"),
    "more than by default": ({"requiredDevices": 6}, "must not exceed maxdev"),
    "two images": ({"consumer": IMAGE, "consumerimage": IMAGE}, "two names of one field"),
    "two secrets": (
        {"imagePullSecret": {"name": "a"}, "imageRepoSecret": {"name": "a"}},
        "two names of one field",
    ),
    "two places": (
        {"moduleImage": IMAGE, "kernelMappings": [{"regexp": ".", "containerImage": IMAGE}]},
        "moduleImage, kernelMappings",
    ),
    "no tag": ({"consumer": "quay.io/example/c"}, "needs a tag or a digest"),
    "a port and no tag": ({"deviceplugin": "localhost:5000/c"}, "needs a tag or a digest"),
    "no tag of a module": ({"moduleImage": "quay.io/example/m"}, "needs a tag or a digest"),
    "no kernel": ({"kernelMappings": [{"containerImage": IMAGE}]}, "exactly one of regexp, literal"),
    "a kernel twice": (
        {"kernelMappings": [{"regexp": ".", "literal": "6", "containerImage": IMAGE}]},
        "exactly one of regexp, literal",
    ),
    "a kernel that cannot be matched": (
        {"kernelMappings": [{"regexp": "(", "containerImage": IMAGE}]},
        "error parsing regexp",
    ),
    "a resource of nobody": ({"resourceName": "ptemplate"}, "spec.resourceName"),
    "another policy": ({"imagePullPolicy": "Sometimes"}, "spec.imagePullPolicy"),
}


@pytest.mark.parametrize(("spec", "message"), REFUSED.values(), ids=REFUSED)
async def test_what_cannot_be_meant_is_refused_with_a_reason(
    client: Client, spec: dict[str, Any], message: str
) -> None:
    said = {**ptemplate().to_wire()["spec"], **spec}
    body = Untyped.of(Ptemplate.__kind__)(metadata=ObjectMeta(name="pt"))
    body["spec"] = {name: value for name, value in said.items() if value is not None}

    with pytest.raises(Invalid, match=message):
        await client.create(body)


TAKEN: dict[str, dict[str, Any]] = {
    "the least": {},
    "a digest": {"consumer": f"quay.io/example/c@sha256:{'0' * 64}"},
    "a port and a tag": {"deviceplugin": "localhost:5000/c:1"},
    "a tag and a digest": {"consumerimage": f"quay.io/example/c:1@sha256:{'0' * 64}"},
    "a message": {"defaultmsg": "hällo,wörld=%d;"},
    "as many as there are": {"maxdev": 3, "requiredDevices": 3},
    "a label without a value": {"selector": {"node-role.kubernetes.io/worker": ""}},
    "kernels": {
        "kernelMappings": [{"literal": "6.1.0", "containerImage": "quay.io/example/m:${KERNEL_FULL_VERSION}"}]
    },
    "a toleration": {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
    "a version": {"version": "1.0"},
}


@pytest.mark.parametrize("spec", TAKEN.values(), ids=TAKEN)
async def test_what_can_be_meant_is_taken(client: Client, spec: dict[str, Any]) -> None:
    made = await client.create(ptemplate(**spec))

    assert made.spec.to_wire().items() >= spec.items()
    assert (made.spec.maxdev, made.spec.required_devices) == (
        spec.get("maxdev", 5),
        spec.get("requiredDevices", 1),
    )


@pytest.mark.parametrize("then", ["2.0", None])
async def test_a_version_may_change_and_not_go(client: Client, then: str | None) -> None:
    await client.create(ptemplate(version="1.0"))
    change = MergePatch({"spec": {"version": then}})

    if then:
        assert (await client.patch(Ptemplate, "pt", change)).spec.version == then
    else:
        with pytest.raises(Invalid, match="KMM lets no version come or go"):
            await client.patch(Ptemplate, "pt", change)


async def test_a_name_that_fits_into_no_namespace_is_refused(client: Client) -> None:
    await client.create(ptemplate("p" * 40))

    with pytest.raises(Invalid, match="name and namespace must have 41 characters at most"):
        await client.create(ptemplate("p" * 41))


def test_modules_are_not_the_operators_to_define() -> None:
    assert sorted(load_project("windlass.operators.ptemplate").crds()) == [
        "crd/bases/pt.example.com_ptemplates.yaml",
        "crd/bases/ptemplates.pt.example.com_ptemplates.yaml",
    ]
