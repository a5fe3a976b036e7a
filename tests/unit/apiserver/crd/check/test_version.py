import pytest

from windlass.apiserver.crd.check.version import deprecation_problems

UNPRINTABLE = "must only contain printable UTF-8 characters; non-printable character found at index"


@pytest.mark.parametrize(
    ("warning", "problems"),
    [
        (None, []),
        ("use v2", []),
        ("é" * 128, []),
        ("é" * 129, ["must be <= 256 characters long"]),
        ("", ["must not be an empty string"]),
        ("é\n\n", [f"{UNPRINTABLE} 2"]),
    ],
)
def test_a_warning_is_short_and_printable(warning: str | None, problems: list[str]) -> None:
    assert list(deprecation_problems({"deprecated": True, "deprecationWarning": warning})) == problems


def test_a_version_that_is_not_deprecated_has_no_warning() -> None:
    assert list(deprecation_problems({"deprecationWarning": "x"})) == [
        "can only be set for deprecated versions"
    ]
