from typing import Any

import pytest

from windlass.apiserver.builtin import library
from windlass.apiserver.patch import misfit
from windlass.schema import Shape


@pytest.fixture
def shape() -> Shape:
    return library().shape("io.k8s.api.apps.v1.Deployment")


def in_pod(**pod: Any) -> dict[str, Any]:
    return {"spec": {"template": {"spec": pod}}}


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ({"spec": 5}, "cannot restore struct from: int64"),
        ({"spec": {"strategy": []}}, "cannot restore struct from: slice"),
        ({"metadata": {"labels": "x"}}, "cannot restore map from string"),
        ({"metadata": {"labels": {"a": 5}}}, "cannot convert int64 to string"),
        ({"metadata": {"labels": {"a": True}}}, "unrecognized type: string"),
        ({"metadata": {"finalizers": {}}}, "cannot restore slice from map"),
        ({"metadata": {"finalizers": ["a", 1.5]}}, "unrecognized type: string"),
        ({"spec": {"replicas": "many"}}, "unrecognized type: int32"),
        ({"spec": {"replicas": True}}, "unrecognized type: int32"),
        ({"spec": {"replicas": 1.5}}, "cannot convert float64 to int32"),
        ({"spec": {"paused": 1}}, "unrecognized type: bool"),
        (in_pod(restartPolicy=5), "cannot convert int64 to v1.RestartPolicy"),
        (in_pod(terminationGracePeriodSeconds="x"), "unrecognized type: int64"),
        (in_pod(containers=["x"]), "cannot restore struct from: string"),
        (in_pod(containers=[{"name": "a"}, {"ports": [[1]]}]), "cannot restore struct from: slice"),
    ],
    ids=str,
)
def test_a_value_of_the_wrong_type_is_told_in_the_words_of_the_conversion(
    shape: Shape, document: Any, why: str
) -> None:
    assert misfit(document, shape) == why


@pytest.mark.parametrize(
    "document",
    [
        {"spec": {"replicas": 2}},
        {"spec": {"replicas": 2.0}},
        {"spec": {"replicas": None, "unknown": 5}},
        {"metadata": {"creationTimestamp": 5}},
        {"spec": {"strategy": {"rollingUpdate": {"maxSurge": True}}}},
    ],
    ids=str,
)
def test_what_fits_or_reads_itself_has_no_misfit(shape: Shape, document: Any) -> None:
    assert misfit(document, shape) is None


@pytest.mark.parametrize(("value", "why"), [("AA==", None), (5, "cannot restore slice from int64")])
def test_bytes_are_restored_from_text(value: Any, why: str | None) -> None:
    assert misfit({"data": {"a": value}}, library().shape("io.k8s.api.core.v1.Secret")) == why


def test_values_of_any_form_always_fit() -> None:
    assert misfit({"data": [1, "a"]}, library().shape("io.k8s.api.apps.v1.ControllerRevision")) is None
