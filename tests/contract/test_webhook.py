"""Admission webhooks: who is asked, what they are told, and what becomes of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from hooking import added, allowed, denied

if TYPE_CHECKING:
    from contract import Object
    from hooking import Hooked


async def test_a_webhook_changes_an_object(hooked: Hooked) -> None:
    hooked.hooks.respond("/change", added("/data", {"a": "b"}))

    async with hooked.mutating(hooked.hook("/change")):
        created = (await hooked.create()).ok()

    assert created["data"] == {"a": "b"}
    assert (await hooked.api.get(f"{hooked.path}/x")).ok()["data"] == {"a": "b"}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ({}, (400, None, " without explanation")),
        ({"message": "no"}, (400, None, ": no")),
        ({"reason": "Forbidden"}, (400, "Forbidden", ": Forbidden")),
        ({"code": 403, "message": "no", "reason": "Forbidden"}, (403, "Forbidden", ": no")),
        ({"code": 200, "message": "no"}, (400, None, ": no")),
        ({"code": 418, "message": "tea"}, (418, None, ": tea")),
    ],
    ids=["silent", "message", "reason", "code", "success", "other"],
)
@pytest.mark.parametrize("phase", ["mutating", "validating"])
async def test_a_webhook_refuses_in_its_words(
    hooked: Hooked, phase: str, status: Object, said: tuple[int, str | None, str]
) -> None:
    hooked.hooks.respond("/judge", denied(**status))

    async with hooked.configured(phase, hooked.hook("/judge")):
        reply = await hooked.create()

    code, reason, message = said
    assert (reply.status, reply.body.get("reason")) == (code, reason)
    assert reply.body["message"] == f'admission webhook "judge.example.com" denied the request{message}'


async def test_a_webhook_is_told_everything(hooked: Hooked) -> None:
    hooked.hooks.respond("/judge", allowed())

    async with hooked.validating(hooked.hook("/judge")):
        created = (await hooked.create(fieldManager="me", dryRun="All")).ok()

    (request,) = hooked.hooks.requests("/judge")
    kind = {"group": "", "version": "v1", "kind": "ConfigMap"}
    resource = {"group": "", "version": "v1", "resource": "configmaps"}
    assert {key: value for key, value in request.items() if key not in ("uid", "userInfo", "object")} == {
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "name": "x",
        "namespace": hooked.namespace,
        "operation": "CREATE",
        "oldObject": None,
        "dryRun": True,
        "options": {
            "kind": "CreateOptions",
            "apiVersion": "meta.k8s.io/v1",
            "dryRun": ["All"],
            "fieldManager": "me",
        },
    }
    assert request["object"] == created
    assert request["userInfo"]["username"] == "admin"
    assert set(request["userInfo"]["groups"]) == {"system:masters", "system:authenticated"}


def marking(mark: str) -> Any:
    """A webhook that adds its mark to those that there are."""

    def respond(request: Object) -> Object:
        marks = (request["object"].get("data") or {}).get("marks", "")
        return added("/data", {"marks": marks + mark})

    return respond


@pytest.mark.parametrize(
    ("policies", "marks"),
    [
        ((None, None), "ab"),
        (("IfNeeded", None), "aba"),
        ((None, "IfNeeded"), "ab"),
        (("IfNeeded", "IfNeeded"), "abab"),
    ],
    ids=["never", "the-first", "the-last", "both"],
)
async def test_a_webhook_that_wants_it_is_asked_again_after_others_changed_the_object(
    hooked: Hooked, policies: tuple[str | None, str | None], marks: str
) -> None:
    for mark in "ab":
        hooked.hooks.respond(f"/{mark}", marking(mark))
    first, second = (
        hooked.hook(f"/{mark}", reinvocationPolicy=policy)
        for mark, policy in zip("ab", policies, strict=True)
    )

    async with hooked.mutating(first, second):
        created = (await hooked.create()).ok()

    assert created["data"]["marks"] == marks
