from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def shrink(
    names: Sequence[str], still_fails: Callable[[Sequence[str]], bool], attempts: int
) -> Sequence[str]:
    """Fewer names for which it still fails: delta debugging, which leaves out ever smaller parts.

    It ends after so many attempts at the latest, with what it has by then.
    """
    kept = list(names)
    parts = 2
    if attempts and still_fails([]):
        return []
    attempts -= 1
    while len(kept) > 1 and attempts > 0:
        size = -(-len(kept) // parts)
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            attempts -= 1
            if still_fails(rest):
                kept, parts = rest, max(parts - 1, 2)
                break
            if not attempts:
                break
        else:
            if size == 1:
                break
            parts = min(parts * 2, len(kept))
    return kept
