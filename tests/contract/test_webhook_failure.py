"""Admission webhooks that cannot be asked, and how much they may say."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import pytest

from contract_crd import warning
from hooking import added, allowed, denied, patched
from polling import until

if TYPE_CHECKING:
    from contract import Object
    from hooking import Hooked

PHASES = pytest.mark.parametrize("phase", ["mutating", "validating"])


def client(hooked: Hooked, url: str) -> Object:
    return {"url": url, "caBundle": hooked.hooks.bundle}


def unreachable(hooked: Hooked) -> dict[str, tuple[Object, str]]:
    """The clientConfigs of webhooks that nobody reaches, and what is said of them."""
    service = {"name": "nosuch", "namespace": hooked.namespace, "path": "/x", "port": 8443}
    where = f"https://nosuch.{hooked.namespace}.svc:8443/x?timeout=1s"
    slow = f"{hooked.hooks.url}/slow"
    return {
        "refused": (
            client(hooked, "https://127.0.0.1:1/x"),
            'Post "https://127.0.0.1:1/x?timeout=1s": dial tcp 127.0.0.1:1: connect: connection refused',
        ),
        "untrusted": (
            {"url": slow},
            (
                f'Post "{slow}?timeout=1s": tls: failed to verify certificate: '
                "x509: certificate signed by unknown authority"
            ),
        ),
        "no service": (
            {"service": service, "caBundle": hooked.hooks.bundle},
            f'Post "{where}": service "nosuch" not found',
        ),
        "slow": (client(hooked, slow), f'Post "{slow}?timeout=1s": context deadline exceeded'),
    }


@PHASES
@pytest.mark.parametrize("case", ["refused", "untrusted", "no service", "slow"])
async def test_a_webhook_that_cannot_be_asked_is_in_the_way_unless_it_may_be_ignored(
    hooked: Hooked, phase: str, case: str
) -> None:
    asked = asyncio.Event()

    async def too_slow(_request: Object) -> Object:
        await asked.wait()
        return allowed()

    hooked.hooks.respond("/slow", too_slow)
    config, said = unreachable(hooked)[case]
    hook = hooked.hook("/hook", clientConfig=config, timeoutSeconds=1)

    async with hooked.configured(phase, hook):
        failed = (await hooked.create(dryRun="All")).refused(500, "InternalError")
    async with hooked.configured(phase, {**hook, "failurePolicy": "Ignore"}):
        (await hooked.create()).ok()
    asked.set()

    message = f'failed calling webhook "hook.example.com": failed to call webhook: {said}'
    assert failed["message"] == f"Internal error occurred: {message}"
    assert failed["details"] == {"causes": [{"message": message}]}


UNUSABLE = {
    "nothing": (b"\n", "unable to parse bytes as PEM block"),
    "no text": (b"\xff\xfe", "unable to parse bytes as PEM block"),
    "no certificate": (
        b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "failed to parse certificate: x509: malformed certificate",
    ),
}


@PHASES
@pytest.mark.parametrize("case", UNUSABLE)
async def test_a_webhook_whose_authority_is_none_is_not_called(hooked: Hooked, phase: str, case: str) -> None:
    bundle, why = UNUSABLE[case]
    hooked.hooks.respond("/hook", allowed())
    config = {**hooked.hooks.client("/hook"), "caBundle": base64.b64encode(bundle).decode()}

    async with hooked.configured(phase, hooked.hook("/hook", clientConfig=config)):
        failed = (await hooked.create()).refused(500, "InternalError")
        asked = hooked.hooks.requests("/hook")
    async with hooked.configured(phase, hooked.hook("/hook", clientConfig=config, failurePolicy="Ignore")):
        (await hooked.create()).ok()

    problem = f"could not get REST client: unable to load root certificates: {why}"
    assert failed["message"].endswith(f'failed calling webhook "hook.example.com": {problem}')
    assert not asked


async def test_the_certificates_of_an_authority_may_have_comments_in_any_language(hooked: Hooked) -> None:
    hooked.hooks.respond("/hook", allowed())
    config = hooked.hooks.client("/hook")
    bundle = b"# Z\xfcrich\n" + base64.b64decode(config["caBundle"])
    config["caBundle"] = base64.b64encode(bundle).decode()

    async with hooked.mutating(hooked.hook("/hook", clientConfig=config)):
        (await hooked.create()).ok()


@PHASES
async def test_a_webhook_at_a_port_that_does_not_exist_cannot_be_called(hooked: Hooked, phase: str) -> None:
    config = client(hooked, "https://127.0.0.1:99999/x")

    async with hooked.configured(phase, hooked.hook("/hook", clientConfig=config)):
        failed = (await hooked.create()).refused(500, "InternalError")

    assert failed["message"].endswith("dial tcp: address 99999: invalid port")


async def test_a_host_that_nobody_knows_is_told(hooked: Hooked) -> None:
    config = client(hooked, "https://nosuch.invalid/x")

    async with hooked.mutating(hooked.hook("/hook", clientConfig=config)):
        failed = (await hooked.create()).refused(500, "InternalError")

    assert 'Post "https://nosuch.invalid/x?timeout=5s": dial tcp: lookup nosuch.invalid' in failed["message"]
    assert failed["message"].endswith("no such host")


async def test_a_patch_that_is_none_may_be_ignored_but_one_that_fails_may_not(hooked: Hooked) -> None:
    hook = hooked.hook("/hook", failurePolicy="Ignore")

    async with hooked.mutating(hook):
        hooked.hooks.respond("/hook", allowed(patch={"op": "add"}))
        (await hooked.create("a")).ok()
        hooked.hooks.respond("/hook", patched(("remove", "/nosuch")))
        failed = await hooked.create("b")

    failed.refused(500, "InternalError")


async def test_the_older_review_is_sent_to_those_who_know_no_other(hooked: Hooked) -> None:
    change = {**added("/data", {"a": "b"}), "patchType": None}
    hooked.hooks.respond("/hook", change)
    seen = {}

    for versions in (["v1beta1"], ["v9", "v1beta1", "v1"], ["v1beta1", "v1"]):
        async with hooked.mutating(hooked.hook("/hook", admissionReviewVersions=versions)):
            created = (await hooked.create(dryRun="All")).ok()
            ((_, review),) = hooked.hooks.asked
            seen[versions[0]] = (review["apiVersion"], created["data"])

    assert set(map(str, seen.values())) == {"('admission.k8s.io/v1beta1', {'a': 'b'})"}


@PHASES
@pytest.mark.parametrize("policy", ["Fail", "Ignore"])
@pytest.mark.parametrize("effects", ["None", "NoneOnDryRun"])
async def test_a_webhook_without_effects_takes_part_in_a_trial(
    hooked: Hooked, phase: str, policy: str, effects: str
) -> None:
    hooked.hooks.respond("/hook", denied(message="no"))

    async with hooked.configured(phase, hooked.hook("/hook", sideEffects=effects, failurePolicy=policy)):
        reply = await hooked.create(dryRun="All")

    assert reply.status == 400
    assert [each["dryRun"] for each in hooked.hooks.requests("/hook")] == [True]


@PHASES
async def test_a_warning_is_told_once_even_with_a_refusal(hooked: Hooked, phase: str) -> None:
    said = ["first", "first", 'a "quoted" one', "two\nlines", ""]
    hooked.hooks.respond("/a", {**allowed(), "warnings": said})
    hooked.hooks.respond("/b", {**denied(message="no"), "warnings": ["first", "second"]})

    async with hooked.configured(phase, hooked.hook("/a"), hooked.hook("/b")):
        reply = await hooked.create()

    assert reply.status == 400
    assert sorted(reply.warnings) == sorted(map(warning, ("first", 'a "quoted" one', "second")))


async def test_warnings_that_are_too_long_together_are_cut(hooked: Hooked) -> None:
    lengths: dict[str, Any] = {}

    for name, texts in {"long": ["x" * 4096], "longer": ["x" * 4097, "y" * 300, "z"]}.items():
        hooked.hooks.respond("/hook", {**allowed(), "warnings": texts})
        async with hooked.mutating(hooked.hook("/hook")):
            reply = await hooked.create(dryRun="All")
        lengths[name] = [len(each) - len(warning("")) for each in reply.warnings]

    assert lengths == {"long": [4096], "longer": [256, 256, 1]}


async def test_a_service_with_an_external_name_is_called_there_by_its_own_name(hooked: Hooked) -> None:
    services = f"/api/v1/namespaces/{hooked.namespace}/services"
    spec = {"type": "ExternalName", "externalName": "127.0.0.1.nip.invalid"}
    port = int(hooked.hooks.url.rpartition(":")[2])
    service = {"name": "hooks", "namespace": hooked.namespace, "path": "/hook", "port": port}
    hook = hooked.hook("/hook", clientConfig={"service": service, "caBundle": hooked.hooks.bundle})
    hooked.hooks.respond("/hook", denied(message="asked"))

    (await hooked.api.create(services, {"metadata": {"name": "hooks"}, "spec": spec})).ok()
    async with hooked.mutating(hook):
        unknown = await hooked.create()
        (await hooked.api.patch(f"{services}/hooks", {"spec": {"externalName": "localhost"}})).ok()
        reply = await until(hooked.create, lambda reply: reply.status == 400)

    assert "lookup 127.0.0.1.nip.invalid" in unknown.refused(500, "InternalError")["message"]
    assert reply.body["message"].endswith(": asked")
