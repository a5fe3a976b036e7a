import pytest

from windlass.apiserver.crd.version import better_version
from windlass.apiserver.discovery import by_maturity


def test_versions_are_sorted_by_stability_and_then_by_age() -> None:
    names = ["foo1", "v1alpha1", "v10", "v1beta2", "v2", "v1beta10", "v1", "bar", "v11alpha2", "v0", "v1beta"]

    assert sorted(names, key=by_maturity) == [
        *("v10", "v2", "v1", "v1beta10", "v1beta2", "v11alpha2", "v1alpha1"),
        *("bar", "foo1", "v0", "v1beta"),
    ]


@pytest.mark.parametrize(
    ("name", "better"),
    [("v1alpha1", "v1"), ("v1beta1", "v1"), ("v1", ""), ("v2", ""), ("other", "v1")],
)
def test_a_better_version_is_served_and_not_deprecated_itself(name: str, better: str) -> None:
    versions = [
        {"name": "v1alpha1", "served": True, "deprecated": True},
        {"name": "v1beta1", "served": True},
        {"name": "v1", "served": True},
        {"name": "v2", "served": True, "deprecated": True},
        {"name": "v3", "served": False},
    ]

    assert better_version(name, versions) == better
