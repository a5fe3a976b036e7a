"""The rules of every kind that is no workload, asked directly about the broken manifests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from broken import OTHERS, edited, permissions, refusals, samples
from windlass.apiserver.validation import validate

if TYPE_CHECKING:
    from broken import Edit, Refusal, Sample
    from contract import Object


def by_rules(cases: dict[str, Refusal]) -> dict[str, Refusal]:
    """The cases that rules refuse; what cannot be decoded never comes to them."""
    return {name: case for name, case in cases.items() if case.answer["code"] == 422}


SAMPLES = samples(OTHERS)
STORED = {title: sample for title, sample in SAMPLES.items() if "name" in sample.valid["metadata"]}
REFUSED, FROZEN, STATUS = (by_rules(refusals(OTHERS, sort)) for sort in ("refused", "frozen", "status"))
ACCEPTED, CHANGED = (permissions(OTHERS, sort) for sort in ("accepted", "changed"))


def completed(body: Object, sample: Sample) -> dict[str, Any]:
    """A manifest as the server completes it before it is checked."""
    if sample.namespaced:
        return edited(body, {"/metadata/namespace": "somewhere"})
    if body["kind"] == "Namespace":
        name = body["metadata"].get("name", "")
        return edited(body, {"/metadata/labels/kubernetes.io~1metadata.name": name})
    return body


def stored(sample: Sample) -> dict[str, Any]:
    """A valid manifest as it was stored."""
    body = edited(completed(sample.valid, sample), {"/metadata/resourceVersion": "1", "/metadata/uid": "u"})
    if body["kind"] != "Service":
        return body
    address = {"/spec/clusterIP": "10.96.0.9", "/spec/clusterIPs": ["10.96.0.9"]}
    return edited(body, {**address, "/spec/ipFamilies": ["IPv4"], "/spec/ipFamilyPolicy": "SingleStack"})


def kind_of(sample: Sample) -> str:
    return f"{sample.valid['apiVersion'].rpartition('/')[0]}/{sample.valid['kind']}"


def causes(case: Refusal, obj: Object, old: Object | None, subresource: str = "") -> list[list[str]]:
    """What the rules say, each thing once."""
    faults = validate(kind_of(case.sample), obj, old, subresource)
    return [[fault.field, fault.message] for fault in dict.fromkeys(faults)]


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
def test_a_valid_manifest_breaks_no_rule(sample: Sample) -> None:
    assert list(validate(kind_of(sample), completed(sample.valid, sample), None, "")) == []


@pytest.mark.parametrize("sample", STORED.values(), ids=STORED.keys())
def test_a_valid_manifest_may_stay_as_it_is(sample: Sample) -> None:
    assert list(validate(kind_of(sample), stored(sample), stored(sample), "")) == []


@pytest.mark.parametrize(("sample", "edit"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_an_unusual_manifest_breaks_no_rule(sample: Sample, edit: Edit) -> None:
    obj = completed(edited(sample.valid, edit), sample)

    assert list(validate(kind_of(sample), obj, None, "")) == []


@pytest.mark.parametrize(("sample", "edit"), CHANGED.values(), ids=CHANGED.keys())
def test_a_change_that_is_fine_breaks_no_rule(sample: Sample, edit: Edit) -> None:
    old = stored(sample)

    assert list(validate(kind_of(sample), edited(old, edit), old, "")) == []


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_a_broken_manifest_breaks_the_rules_that_the_server_names(case: Refusal) -> None:
    obj = completed(edited(case.sample.valid, case.edit), case.sample)

    assert causes(case, obj, None) == case.answer["causes"]


@pytest.mark.parametrize("case", FROZEN.values(), ids=FROZEN.keys())
def test_a_forbidden_change_breaks_the_rules_that_the_server_names(case: Refusal) -> None:
    old = stored(case.sample)

    assert causes(case, edited(old, case.edit), old) == case.answer["causes"]


@pytest.mark.parametrize("case", STATUS.values(), ids=STATUS.keys())
def test_a_broken_status_breaks_the_rules_that_the_server_names(case: Refusal) -> None:
    old = stored(case.sample)

    assert causes(case, edited(old, case.edit), old, "status") == case.answer["causes"]
