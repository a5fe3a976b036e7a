from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.api import Reply
from windlass.operators.pagerduty.simulator.books import Books, Limits
from windlass.operators.pagerduty.simulator.faults import Faults
from windlass.operators.pagerduty.simulator.hand import ByHand
from windlass.operators.pagerduty.simulator.ids import Ids
from windlass.operators.pagerduty.simulator.journal import Exchange, Journal
from windlass.operators.pagerduty.simulator.rate import RateLimit
from windlass.operators.pagerduty.simulator.refusal import Refusal
from windlass.operators.pagerduty.simulator.request import Answer, Request
from windlass.operators.pagerduty.simulator.routes import match

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from windlass.aio import Clock
    from windlass.operators.pagerduty.api import Call
    from windlass.operators.pagerduty.simulator.faults import Fault

_VERSION = "application/vnd.pagerduty+json;version=2"
_SCHEMES = ("token", "bearer")
_TOO_MANY = 429


@dataclass(frozen=True, kw_only=True)
class AccountOptions:
    """What an account allows: how many requests a minute for each key, and how much of everything."""

    requests_per_minute: int = 960
    limits: Limits = field(default_factory=Limits)
    journal: int = 1000


@dataclass(frozen=True)
class _Key:
    read_only: bool
    user: str | None


class _Outcome(NamedTuple):
    answer: Answer
    headers: Mapping[str, str]
    done: bool

    def reply(self, *, empty: bool) -> Reply:
        if empty or self.answer.body is None:
            return Reply(status=self.answer.status, headers=self.headers, body=b"")
        return Reply(
            status=self.answer.status,
            headers={"content-type": "application/json; charset=utf-8", **self.headers},
            body=json.dumps(self.answer.body, separators=(",", ":")).encode(),
        )


class Account:
    """An account at PagerDuty, in memory: it answers requests as PagerDuty's REST API does.

    Nothing here waits: `handle` answers at the moment of the given clock, identifiers come from the given
    chance. `books` is what the account holds, `by_hand` what people do with it, `faults` what goes wrong,
    `journal` what was asked, and `rate` how fast.

        account = Account(clock=ManualClock(), random=Random(4711))
        account.allow("secret")
        ada = account.by_hand.add_user("Ada Lovelace", "ada@example.com")
    """

    def __init__(self, *, clock: Clock, random: Random, options: AccountOptions | None = None) -> None:
        options = options or AccountOptions()
        self.clock = clock
        self.faults = Faults(random)
        self.books = Books(clock, Ids(random), self.faults, options.limits)
        self.rate = RateLimit(clock, options.requests_per_minute)
        self.journal = Journal(options.journal)
        self.by_hand = ByHand(self.books)
        self._keys: dict[str, _Key] = {}

    def handle(self, call: Call, fault: Fault | None = None) -> Reply:
        """The answer to a request, at this moment; the fault is drawn unless it is given.

        Raises:
            ConnectionFailedError: the fault cuts the connection; `sent` is true, whether it was done or not.
        """
        fault = self.faults.strike(call) if fault is None else fault
        arrived = not fault.cut or fault.effective
        outcome = self._outcome(call, fault) if arrived else None
        reply = None if outcome is None or fault.cut else outcome.reply(empty=fault.empty)
        done = outcome is not None and outcome.done
        self.journal.record(Exchange(at=self.clock.now(), call=call, reply=reply, done=done))
        if reply is None:
            raise ConnectionFailedError(f"{call}: the connection was cut", sent=True)
        return reply

    def allow(self, token: str, *, read_only: bool = False, user: str | None = None) -> None:
        """Let a key in, of the account or of a user; with a read-only one nothing can be changed."""
        self._keys[token] = _Key(read_only, user)

    def revoke(self, token: str) -> None:
        """Let a key in no longer."""
        self._keys.pop(token, None)

    def _outcome(self, call: Call, fault: Fault) -> _Outcome:
        """What becomes of a request that has arrived."""
        headers: dict[str, str] = {}
        done = False
        try:
            token, key = self._caller(call)
            allowance = self.rate.count(token)
            headers |= allowance.headers
            if allowance.exceeded:
                raise Refusal.throttled()
            if fault.replaces and not fault.effective:
                raise Refusal.failed(fault.status or 500)
            answer = self._routed(call, key)
            done = True
            if fault.status is not None:
                raise Refusal.failed(fault.status)
        except Refusal as refusal:
            answer = Answer(refusal.status, refusal.body)
        if answer.status == _TOO_MANY:
            headers["ratelimit-remaining"] = "0"
        return _Outcome(answer, headers, done)

    def _caller(self, call: Call) -> tuple[str, _Key]:
        headers = {name.lower(): value for name, value in call.headers.items()}
        scheme, _, rest = headers.get("authorization", "").partition(" ")
        token = rest.removeprefix("token=").strip('"')
        key = self._keys.get(token)
        if key is None or scheme.lower() not in _SCHEMES:
            raise Refusal(401, 2006, "Unauthorized: the key is missing or not known")
        if headers.get("accept", "").replace(" ", "") != _VERSION:
            raise Refusal(406, 2001, f"Not Acceptable: the Accept header must be {_VERSION}")
        return token, key

    def _routed(self, call: Call, key: _Key) -> Answer:
        found = match(call.method, call.path)
        if key.read_only and call.method != "GET":
            raise Refusal(403, 2010, "Access Denied: the key is read-only")
        return found.handler(self.books, Request(call=call, path=found.path, user=key.user))
