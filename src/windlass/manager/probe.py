from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from windlass.manager.page import Page

if TYPE_CHECKING:
    from windlass.manager.page import Ask

Check = Callable[[], str | None]
"""Looks at one thing at once, without waiting: None when it is fine, otherwise why not."""

Remark = Callable[[], str]
"""What there is to say about a thing that is fine; empty for nothing."""

_FAILED: Final = 500
_log = logging.getLogger("windlass.manager.health")


@dataclass(frozen=True, slots=True)
class _Named:
    check: Check
    remark: Remark | None = None


class _Verdict(NamedTuple):
    name: str
    fine: bool
    text: str


class Probe:
    """Several checks under one path, in the form that Kubernetes and controller-runtime have made known.

    `/readyz` is `ok`, or tells everything when a check fails or `?verbose` asks for it; `/readyz/NAME` is one
    check alone; `?exclude=NAME` leaves one out. The reason of a failure is told and, when it is new, logged:
    a probe's answer is seen by no one but the kubelet, which does not pass it on.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._checks: dict[str, _Named] = {}
        self._logged: dict[str, str] = {}

    def add(self, name: str, check: Check, remark: Remark | None = None) -> None:
        """Check this too.

        Raises:
            ValueError: there is a check of this name, or the name cannot stand in a path.
        """
        if name in self._checks or not name or "/" in name:
            raise ValueError(f"/{self._name} cannot have another check called {name!r}")
        self._checks[name] = _Named(check, remark)

    def answer(self, ask: Ask) -> Page:
        """What to say to a request for this path, or for one below it."""
        single = ask.path.removeprefix(f"/{self._name}").strip("/")
        if single:
            return self._one(single)
        excluded = set(ask.query.get("exclude", ()))
        verdicts = [self._verdict(name, name in excluded) for name in sorted(self._checks)]
        failed = not all(each.fine for each in verdicts)
        if not failed and "verbose" not in ask.query:
            return Page(200, b"ok")
        lines = [each.text for each in verdicts]
        if unknown := sorted(excluded - set(self._checks)):
            lines.append(f"warn: some health checks cannot be excluded: no matches for {', '.join(unknown)}")
        lines.append(f"{self._name} check {'failed' if failed else 'passed'}")
        return Page(_FAILED if failed else 200, "".join(f"{line}\n" for line in lines).encode())

    def _one(self, name: str) -> Page:
        if name not in self._checks:
            return Page.not_found()
        verdict = self._verdict(name)
        return Page(200, b"ok") if verdict.fine else Page(_FAILED, f"{verdict.text}\n".encode())

    def _verdict(self, name: str, excluded: bool = False) -> _Verdict:  # noqa: FBT001, FBT002 - private
        if excluded:
            return _Verdict(name, fine=True, text=f"[+]{name} excluded: ok")
        named = self._checks[name]
        why = named.check()
        self._note(name, why or "")
        if why:
            return _Verdict(name, fine=False, text=f"[-]{name} failed: {why}")
        remark = named.remark() if named.remark else ""
        return _Verdict(name, fine=True, text=f"[+]{name} ok{f': {remark}' if remark else ''}")

    def _note(self, name: str, why: str) -> None:
        """Log a check that changes between fine and not, not every reason: those count seconds."""
        before, self._logged[name] = self._logged.get(name, ""), why
        if bool(before) == bool(why):
            return
        fields = {"windlass": {"probe": self._name, "checker": name, **({"reason": why} if why else {})}}
        if why:
            _log.warning("Health check failed", extra=fields)
        else:
            _log.info("Health check passes again", extra=fields)
