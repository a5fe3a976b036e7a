"""A webhook that is asked alone."""

from __future__ import annotations

import pytest

from widget import Widget, WidgetSpec
from windlass.api import ObjectMeta
from windlass.testing import admit
from windlass.webhook import AdmissionRequest, UserInfo, Verdict, mutating, validating


@mutating(Widget)
def painted(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Give a widget a color."""
    request.object.spec.color = "red"
    return Verdict.change(request.object, warnings=["painted"])


@validating(Widget, verbs=("create", "update", "delete"))
async def guarded(request: AdmissionRequest[Widget]) -> Verdict[Widget]:
    """Let nobody but the owner delete, and nobody shrink."""
    if request.operation == "DELETE" and "owners" not in request.user.groups:
        return Verdict.deny(f"{request.user.name} is no owner")
    if request.old is not None and request.old.spec.size > request.object.spec.size:
        return Verdict.deny("it does not shrink")
    return Verdict.allow()


def _widget(size: int) -> Widget:
    return Widget(metadata=ObjectMeta(name="w"), spec=WidgetSpec(size=size))


async def test_the_object_is_as_it_would_be_stored() -> None:
    admitted = await admit(painted, _widget(2))

    assert admitted.object["spec"] == {"size": 2, "color": "red"}
    assert admitted.patch == ({"op": "add", "path": "/spec/color", "value": "red"},)
    assert admitted.verdict.warnings == ("painted",)


async def test_with_an_old_object_it_is_an_update() -> None:
    admitted = await admit(guarded, _widget(1), old=_widget(2))

    assert not admitted.verdict.allowed
    assert admitted.verdict.message == "it does not shrink"
    assert admitted.patch == ()


@pytest.mark.parametrize(("groups", "allowed"), [(("owners",), True), ((), False)])
async def test_a_deletion_is_asked_about_in_the_name_of_a_user(
    groups: tuple[str, ...],
    allowed: bool,  # noqa: FBT001 - a case
) -> None:
    user = UserInfo(name="jo", groups=groups)

    admitted = await admit(guarded, _widget(1), operation="DELETE", user=user)

    assert admitted.verdict.allowed is allowed


async def test_what_the_function_raises_is_raised() -> None:
    @validating(Widget)
    def broken(_request: AdmissionRequest[Widget]) -> Verdict[Widget]:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        await admit(broken, _widget(1))


async def test_an_object_that_cannot_be_read_is_refused() -> None:
    spoilt = Widget.model_construct(
        metadata=ObjectMeta(name="w"), spec=WidgetSpec.model_construct(size="many")
    )

    admitted = await admit(painted, spoilt)

    assert admitted.verdict.code == 422
    assert "spec.size" in admitted.verdict.message
