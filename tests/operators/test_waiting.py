"""Every kind that ships says whether it is ready, in the way that tools wait for, and `kubectl get` shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from shipped import CHANGES, Shipped, shipped
from windlass.api import UNOBSERVED
from windlass.codegen import custom_resource_definitions
from windlass.controller import reporting

if TYPE_CHECKING:
    from windlass.api import Json

SHIPPED = shipped()
READY = ('.status.conditions[?(@.type=="Ready")]', ".status.conditions[?(@.type=='Ready')]")


def version_of(each: Shipped) -> Json:
    """The only version of the definition of a kind, as it is generated."""
    (definition,) = custom_resource_definitions([each.elsewhere()])
    (version,) = definition["spec"]["versions"]
    found: Json = version
    return found


def test_every_kind_is_known_here() -> None:
    assert {each.kind.__kind__.name for each in SHIPPED} == set(CHANGES)


@pytest.mark.parametrize("each", SHIPPED, ids=lambda each: each.name)
def test_the_loop_reports_readiness_and_the_generation(each: Shipped) -> None:
    told = reporting(each.kind, each.reports)

    assert (told.subresource, told.ready, told.observes) == ("status", "Ready", True)


@pytest.mark.parametrize("each", SHIPPED, ids=lambda each: each.name)
def test_a_new_object_reads_as_not_observed(each: Shipped) -> None:
    version = version_of(each)
    status = version["schema"]["openAPIV3Schema"]["properties"]["status"]

    assert version["subresources"]["status"] == {}
    assert status["default"] == {"observedGeneration": UNOBSERVED}
    assert status["properties"]["observedGeneration"]["default"] == UNOBSERVED


@pytest.mark.parametrize("each", SHIPPED, ids=lambda each: each.name)
def test_kubectl_get_shows_whether_it_is_ready_and_why_not(each: Shipped) -> None:
    columns = {
        column["name"]: column["jsonPath"]
        for column in version_of(each)["additionalPrinterColumns"]
        if not column.get("priority")
    }

    assert columns["Ready"] in [f"{path}.status" for path in READY]
    assert columns["Reason"] in [f"{path}.reason" for path in READY]
