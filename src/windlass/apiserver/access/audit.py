from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from windlass.apiserver.access.attempt import Attempt
    from windlass.apiserver.access.rbac import Verdict
    from windlass.apiserver.exchange import User


@dataclass(frozen=True, slots=True)
class Decision:
    """Who attempted what, whether they might, and by which rule."""

    user: User
    attempt: Attempt
    verdict: Verdict

    def __str__(self) -> str:
        """As a log tells it: `system:admin list pods in default: allowed`."""
        attempt = self.attempt
        target = attempt.path if attempt.path is not None else attempt.target
        group = f".{attempt.group}" if attempt.group else ""
        where = f" in {attempt.namespace}" if attempt.namespace else ""
        said = "allowed" if self.verdict.allowed else "denied"
        return f"{self.user.name} {attempt.verb} {target}{group}{where}: {said}"


class Audit:
    """Keeps what the gate decides, for those who want to know; while nobody does, it costs nothing."""

    def __init__(self) -> None:
        self._trails: list[deque[Decision]] = []

    @property
    def is_on(self) -> bool:
        """Whether anybody wants to know."""
        return bool(self._trails)

    def note(self, user: User, attempt: Attempt, verdict: Verdict) -> None:
        """Something was decided."""
        decision = Decision(user, attempt, verdict)
        for trail in self._trails:
            trail.append(decision)

    @contextmanager
    def recording(self, most: int) -> Iterator[Sequence[Decision]]:
        """What is decided during the block, in that order: the last `most` of it."""
        trail: deque[Decision] = deque(maxlen=most)
        self._trails.append(trail)
        try:
            yield trail
        finally:
            self._trails = [each for each in self._trails if each is not trail]
