from typing import Any

import pytest

from windlass.apiserver.crd.approval import approval_condition, approval_faults

ANNOTATION = "api-approved.kubernetes.io"


def definition(group: str, value: str | None) -> dict[str, Any]:
    annotations = {} if value is None else {ANNOTATION: value}
    return {"metadata": {"annotations": annotations}, "spec": {"group": group}}


@pytest.mark.parametrize("group", ["example.com", "notk8s.io", "k8s.io.example.com"])
def test_other_groups_need_no_approval(group: str) -> None:
    crd = definition(group, None)

    assert approval_condition(crd) is None
    assert list(approval_faults(crd, None)) == []


@pytest.mark.parametrize(
    ("value", "status", "reason"),
    [
        (None, "False", "MissingAnnotation"),
        ("", "False", "MissingAnnotation"),
        ("unapproved, an experiment", "False", "UnapprovedAnnotation"),
        ("https://example.com/pull/1?a=b", "True", "ApprovedAnnotation"),
        ("https:example", "False", "InvalidAnnotation"),
        ("ftp://", "False", "InvalidAnnotation"),
        ("/path", "False", "InvalidAnnotation"),
        ("http://two words", "False", "InvalidAnnotation"),
        ("https://example.com/%zz", "False", "InvalidAnnotation"),
    ],
)
def test_an_approval_is_a_url(value: str | None, status: str, reason: str) -> None:
    for group in ("k8s.io", "x.k8s.io", "x.kubernetes.io"):
        condition = approval_condition(definition(group, value))

        assert condition is not None
        assert (condition.status, condition.reason) == (status, reason)


def test_a_change_need_not_mend_an_approval() -> None:
    broken = definition("x.k8s.io", "surely")

    assert list(approval_faults(broken, broken)) == []
    assert len(list(approval_faults(broken, definition("x.k8s.io", "https://example.com")))) == 1
