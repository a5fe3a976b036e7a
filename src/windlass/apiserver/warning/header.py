"""The headers that warnings are sent in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST: Final = 4096
_MOST_OF_EACH: Final = 256
"""Where all together are longer than the most, each is cut to this, and what comes after the most is lost."""


def warning_headers(texts: Sequence[str]) -> list[str]:
    """The values of the headers for these warnings; what cannot stand in a header is left out."""
    fit = [text for text in texts if text and not any(map(_is_control, text))]
    if sum(map(len, fit)) > _MOST:
        fit = list(_cut(fit))
    return [f'299 - "{_escaped(text)}"' for text in fit]


def _cut(texts: Sequence[str]) -> Iterator[str]:
    written = 0
    for text in texts:
        if written >= _MOST:
            return
        yield text[:_MOST_OF_EACH]
        written += len(text[:_MOST_OF_EACH])


def _is_control(letter: str) -> bool:
    return letter < " " or "\x7f" <= letter <= "\x9f"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
