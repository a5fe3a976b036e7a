"""What is said of a version that is deprecated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST: Final = 256


def deprecation_problems(version: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the warning of a version."""
    warning = version.get("deprecationWarning")
    if warning is None:
        return
    if not version.get("deprecated"):
        yield "can only be set for deprecated versions"
        return
    if len(warning.encode()) > _LONGEST:
        yield f"must be <= {_LONGEST} characters long"
    if not warning:
        yield "must not be an empty string"
    for index, character in enumerate(warning):
        if not character.isprintable():
            place = len(warning[:index].encode())
            yield (
                "must only contain printable UTF-8 characters; "
                f"non-printable character found at index {place}"
            )
            return
