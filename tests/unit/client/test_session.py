"""Retries, warnings and errors, on a clock that a test moves."""

from __future__ import annotations

import asyncio
import pickle
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from random import Random
from typing import TYPE_CHECKING

import pytest

from logged import logged
from scripted import ScriptedStream, ScriptedTransport, Step, answer, status
from windlass.aio import ManualClock
from windlass.client import Client, ClientOptions, Impersonation, Request, Response, Retry
from windlass.client.impersonation import ImpersonatingTransport
from windlass.client.session import WarningLog
from windlass.errors import (
    AlreadyExists,
    ApiError,
    BadRequest,
    ConfigError,
    Conflict,
    ConnectionFailedError,
    Forbidden,
    Gone,
    Invalid,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    ServerError,
    ServerTimeout,
    ServiceUnavailable,
    TooLarge,
    TooManyRequests,
    Unauthorized,
    UnsupportedMediaType,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

READ = Request(method="GET", path="/api/v1/namespaces/default/pods/a")
CREATE = Request(method="POST", path="/api/v1/namespaces/default/pods")
CUT = ConnectionFailedError("cut", sent=True)
NEVER_SENT = ConnectionFailedError("refused", sent=False)
BUSY = answer(429, status(429, "TooManyRequests"), retry_after="2")


class Sent:
    """What came of sending one request through a script: the result, the requests, the waits."""

    def __init__(self, steps: Sequence[Step], attempts: int = 4) -> None:
        self.clock = ManualClock()
        self.transport = ScriptedTransport(list(steps))
        self.warnings: list[str] = []
        retry = Retry(attempts=attempts, clock=self.clock, random=Random(1))
        options = ClientOptions(retry=retry, on_warning=lambda _request, text: self.warnings.append(text))
        self.client = Client(self.transport, options)

    async def send(self, request: Request) -> Response:
        task = asyncio.ensure_future(self.client.send(request))
        while not task.done():
            await asyncio.sleep(0)
            await self.clock.advance(timedelta(seconds=1))
        return await task


@pytest.mark.parametrize("request_", [READ, CREATE], ids=str)
@pytest.mark.parametrize("code", [429, 503])
async def test_a_busy_server_is_asked_again_when_it_says(request_: Request, code: int) -> None:
    busy = answer(code, status(code, "Busy"), retry_after="2")
    sent = Sent([busy, busy, answer()])

    assert (await sent.send(request_)).status == 200
    assert len(sent.transport.requests) == 3
    assert all(timedelta(seconds=2) < pause < timedelta(seconds=3) for pause in sent.clock.sleeps)


async def test_a_busy_server_that_names_no_time_is_believed() -> None:
    sent = Sent([answer(429, status(429, "TooManyRequests"))])

    with pytest.raises(TooManyRequests):
        await sent.send(READ)
    assert len(sent.transport.requests) == 1


async def test_patience_is_bounded() -> None:
    sent = Sent([BUSY] * 10, attempts=3)

    with pytest.raises(TooManyRequests) as caught:
        await sent.send(READ)
    assert len(sent.transport.requests) == 3
    assert caught.value.answer.retry_after == 2


@pytest.mark.parametrize("wanted", ["31", "86400", "9" * 40])
async def test_a_server_that_asks_for_a_longer_wait_than_the_longest_is_not_asked_again_too_early(
    wanted: str,
) -> None:
    sent = Sent([answer(503, status(503, "ServiceUnavailable"), retry_after=wanted), answer()])

    with pytest.raises(ServiceUnavailable) as caught:
        await sent.send(READ)
    assert caught.value.answer.retry_after == float(wanted)
    assert len(sent.transport.requests) == 1


async def test_the_longest_wait_itself_is_waited_out() -> None:
    sent = Sent([answer(503, status(503, "ServiceUnavailable"), retry_after="30"), answer()])

    await sent.send(READ)
    assert sent.clock.sleeps == [timedelta(seconds=30)]


@pytest.mark.parametrize("wanted", ["", "soon", "-1", "1.5", "Mon, 99 Nov 2026 06:08:25 GMT"])
async def test_a_wait_that_is_no_number_is_none(wanted: str) -> None:
    sent = Sent([answer(503, status(503, "ServiceUnavailable"), retry_after=wanted), answer()])

    with pytest.raises(ServiceUnavailable):
        await sent.send(READ)
    assert len(sent.transport.requests) == 1


@pytest.mark.parametrize(("ahead", "waited"), [(5, 5), (-3600, 0), (0, 0)])
async def test_a_wait_may_be_said_as_a_date(ahead: int, waited: int) -> None:
    when = format_datetime(ManualClock().now() + timedelta(seconds=ahead), usegmt=True)
    sent = Sent([answer(503, status(503, "ServiceUnavailable"), retry_after=when), answer()])

    assert (await sent.send(CREATE)).status == 200
    (pause,) = sent.clock.sleeps
    assert timedelta(seconds=waited) < pause < timedelta(seconds=waited + 1)


async def test_a_date_that_is_too_far_away_is_not_waited_for() -> None:
    when = format_datetime(ManualClock().now() + timedelta(hours=1), usegmt=True)
    sent = Sent([answer(429, status(429, "TooManyRequests"), retry_after=when), answer()])

    with pytest.raises(TooManyRequests) as caught:
        await sent.send(READ)
    assert caught.value.answer.retry_after == 3600
    assert len(sent.transport.requests) == 1


async def test_an_eviction_that_a_budget_forbids_is_the_answer() -> None:
    sent = Sent([BUSY, answer()])

    with pytest.raises(TooManyRequests):
        await sent.send(Request(method="POST", path="/api/v1/namespaces/default/pods/a/eviction"))
    assert len(sent.transport.requests) == 1


async def test_a_read_is_repeated_after_a_broken_connection() -> None:
    sent = Sent([CUT, CUT, answer()])

    assert (await sent.send(READ)).status == 200
    assert len(sent.transport.requests) == 3


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_write_is_never_repeated_after_an_unknown_outcome(method: str) -> None:
    sent = Sent([CUT, answer()])

    with pytest.raises(ConnectionFailedError):
        await sent.send(Request(method=method, path=READ.path))
    assert len(sent.transport.requests) == 1


@pytest.mark.parametrize("request_", [READ, CREATE], ids=str)
async def test_anything_is_repeated_that_surely_never_arrived(request_: Request) -> None:
    sent = Sent([NEVER_SENT, answer()])

    assert (await sent.send(request_)).status == 200


@pytest.mark.parametrize("may_have_arrived", [False, True])
async def test_a_failure_that_lasts_is_told_at_once(may_have_arrived: bool) -> None:  # noqa: FBT001
    sent = Sent([ConnectionFailedError("not trusted", sent=may_have_arrived, lasting=True), answer()])

    with pytest.raises(ConnectionFailedError, match="not trusted"):
        await sent.send(READ)
    assert len(sent.transport.requests) == 1
    assert sent.clock.sleeps == []


async def test_a_request_has_the_clients_time_limit_unless_it_has_its_own() -> None:
    transport = ScriptedTransport([answer()] * 3)
    own = timedelta(seconds=5)

    await Client(transport).send(READ)
    await Client(transport, ClientOptions(timeout=timedelta(minutes=3))).send(READ)
    await Client(transport).send(replace(READ, timeout=own))

    assert [request.timeout for request in transport.requests] == [
        timedelta(seconds=60),
        timedelta(minutes=3),
        own,
    ]


async def test_a_stream_may_be_silent_for_as_long_as_it_likes() -> None:
    transport = ScriptedTransport([ScriptedStream(())])

    async with Client(transport)._session.stream(READ):
        pass
    assert transport.requests[0].timeout is None


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_time_limit_must_leave_time(seconds: int) -> None:
    with pytest.raises(ConfigError, match="timeout must be longer than nothing"):
        ClientOptions(timeout=timedelta(seconds=seconds))


@pytest.mark.parametrize("code", [500, 504])
async def test_a_failing_server_is_asked_again_for_reads_only(code: int) -> None:
    failing = answer(code, status(code, "InternalError"), retry_after="1")

    assert (await Sent([failing, answer()]).send(READ)).status == 200
    with pytest.raises(ServerError):
        await Sent([failing, answer()]).send(CREATE)


async def test_waits_grow_and_are_spread_by_chance() -> None:
    many = [Sent([NEVER_SENT] * 5 + [answer()], attempts=6) for _ in range(2)]
    many[1].client = Client(
        many[1].transport,
        ClientOptions(retry=Retry(attempts=6, clock=many[1].clock, random=Random(2))),
    )
    for sent in many:
        await sent.send(READ)

    for sent in many:
        for index, pause in enumerate(sent.clock.sleeps):
            longest = timedelta(milliseconds=100) * 2**index
            assert longest / 2 <= pause <= longest
    assert many[0].clock.sleeps != many[1].clock.sleeps


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (400, "BadRequest", BadRequest),
        (401, "Unauthorized", Unauthorized),
        (403, "Forbidden", Forbidden),
        (404, "NotFound", NotFound),
        (405, "MethodNotAllowed", MethodNotAllowed),
        (406, "NotAcceptable", NotAcceptable),
        (409, "Conflict", Conflict),
        (409, "AlreadyExists", AlreadyExists),
        (410, "Expired", Gone),
        (410, "Gone", Gone),
        (413, "RequestEntityTooLarge", TooLarge),
        (415, "UnsupportedMediaType", UnsupportedMediaType),
        (418, "Teapot", ApiError),
        (422, "Invalid", Invalid),
        (429, "TooManyRequests", TooManyRequests),
        (500, "InternalError", ServerError),
        (502, "BadGateway", ServerError),
        (503, "ServiceUnavailable", ServiceUnavailable),
        (504, "Timeout", ServerTimeout),
    ],
)
async def test_each_refusal_has_its_error(code: int, reason: str, kind: type[ApiError]) -> None:
    refusal = status(code, reason, "what the server says", causes=[{"field": "spec.x", "message": "bad"}])

    with pytest.raises(kind, match="what the server says") as caught:
        await Sent([answer(code, refusal)]).send(CREATE)

    assert type(caught.value) is kind
    assert caught.value.answer.reason == reason
    assert caught.value.answer.causes == [{"field": "spec.x", "message": "bad"}]
    assert str(caught.value).startswith(f"POST {CREATE.path}: {code} ")


async def test_an_answer_that_is_no_status_keeps_its_text() -> None:
    page = Response(status=502, headers={}, body=b"<html>bad gateway</html>")

    with pytest.raises(ServerError, match="bad gateway"):
        await Sent([page]).send(READ)


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (READ, ('""', "pods", "get")),
        (Request(method="GET", path="/api/v1/pods"), ('""', "pods", "list")),
        (Request(method="GET", path="/api/v1/pods", query=(("watch", "true"),)), ('""', "pods", "watch")),
        (Request(method="GET", path="/api/v1/namespaces/default"), ('""', "namespaces", "get")),
        (Request(method="GET", path="/api/v1/namespaces"), ('""', "namespaces", "list")),
        (CREATE, ('""', "pods", "create")),
        (Request(method="DELETE", path="/apis/apps/v1/deployments"), ('"apps"', "deployments", "deletecollection")),
        (Request(method="DELETE", path="/apis/apps/v1/namespaces/a/deployments/b"), ('"apps"', "deployments", "delete")),
        (
            Request(method="PATCH", path="/apis/demo.example.com/v1/namespaces/a/webapps/b/status"),
            ('"demo.example.com"', "webapps/status", "patch"),
        ),
        (Request(method="PUT", path="/apis/rbac.authorization.k8s.io/v1/clusterroles/a"), ('"rbac.authorization.k8s.io"', "clusterroles", "update")),
    ],
    ids=str,
)  # fmt: skip
async def test_a_403_names_the_rule_that_is_missing_and_its_file(
    request_: Request, rule: tuple[str, str, str]
) -> None:
    group, resource, verb = rule

    with pytest.raises(Forbidden) as caught:
        await Sent([Response(status=403, headers={}, body=b"nobody may")]).send(request_)

    message = str(caught.value)
    assert f'- apiGroups: [{group}]\n  resources: ["{resource}"]\n  verbs: ["{verb}"]' in message
    assert "config/rbac/role.yaml" in message


TENANT = Impersonation.service_account("team-a", "collector")


def refused_to(user: str, where: str = 'in the namespace "team-b"') -> Response:
    message = f'pods is forbidden: User "{user}" cannot create resource "pods" in API group "" {where}'
    return answer(403, status(403, "Forbidden", message))


@pytest.mark.parametrize(
    ("user", "where", "advice"),
    [
        (TENANT, 'in the namespace "team-b"', "ServiceAccount team-a/collector in namespace team-b:"),
        (TENANT, "at the cluster scope", "ServiceAccount team-a/collector in the whole cluster, "),
        (Impersonation(user="ann"), 'in the namespace "team-b"', "User ann in namespace team-b:"),
    ],
)
async def test_a_403_for_an_impersonated_user_names_that_user(
    user: Impersonation, where: str, advice: str
) -> None:
    for transport in (
        ImpersonatingTransport(ScriptedTransport([refused_to(user.user, where)]), user),
        ScriptedTransport([refused_to(user.user, where)]),
    ):
        request = (
            CREATE if isinstance(transport, ImpersonatingTransport) else replace(CREATE, impersonate=user)
        )
        with pytest.raises(Forbidden) as caught:
            await Client(transport).send(request)

        message = str(caught.value)
        assert f"grant it to {advice}" in message
        assert '- apiGroups: [""]\n  resources: ["pods"]\n  verbs: ["create"]' in message
        assert "role.yaml" not in message


@pytest.mark.parametrize("user", [None, TENANT])
async def test_a_403_for_the_operator_itself_names_the_file_of_its_role(user: Impersonation | None) -> None:
    scripted = ScriptedTransport([refused_to("system:serviceaccount:operators:collector")])
    client = Client(ImpersonatingTransport(scripted, user) if user else scripted)

    with pytest.raises(Forbidden, match=r"to be added in config/rbac/role\.yaml"):
        await client.send(CREATE)


@pytest.mark.parametrize(
    "message",
    [
        'admission webhook "policy.example.com" denied the request: no latest tags',
        'pods "a" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1',
    ],
)
async def test_a_403_that_no_rule_would_help_names_none(message: str) -> None:
    with pytest.raises(Forbidden) as caught:
        await Sent([answer(403, status(403, "Forbidden", message))]).send(CREATE)

    assert "apiGroups" not in str(caught.value)


async def test_a_conflict_over_a_field_says_what_helps() -> None:
    causes = [{"reason": "FieldManagerConflict", "field": ".data.a", "message": 'conflict with "other"'}]

    with pytest.raises(Conflict, match="force=True") as caught:
        await Sent([answer(409, status(409, "Conflict", "Apply failed", causes=causes))]).send(CREATE)

    assert "Read the object again" not in str(caught.value)


async def test_errors_survive_being_copied() -> None:
    with pytest.raises(NotFound) as caught:
        await Sent([answer(404, status(404, "NotFound", "gone", name="a"))]).send(READ)

    copied = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own
    assert (type(copied), str(copied), copied.code) == (NotFound, str(caught.value), 404)


async def test_a_403_of_a_webhook_that_gives_no_reason_names_no_rule() -> None:
    said = status(403, "", 'admission webhook "a.example.com" denied the request: no')
    with pytest.raises(Forbidden) as caught:
        await Sent([answer(403, said)]).send(CREATE)
    assert "denied the request: no" in str(caught.value)
    assert "The rule that is missing" not in str(caught.value)


async def test_a_403_for_no_resource_names_no_rule() -> None:
    with pytest.raises(Forbidden) as caught:
        await Sent([answer(403, status(403, "Forbidden", "no"))]).send(Request(method="GET", path="/metrics"))

    assert "apiGroups" not in str(caught.value)


async def test_a_404_for_a_kind_says_that_its_definition_may_be_missing() -> None:
    page = Response(status=404, headers={}, body=b"404 page not found\n")

    with pytest.raises(NotFound, match="is its CRD installed"):
        await Sent([page]).send(Request(method="GET", path="/apis/demo.example.com/v1/webapps"))


async def test_the_servers_warnings_are_handed_on() -> None:
    warned = Response(
        status=200, headers={}, body=b"{}", warnings=(r'299 - "say \"hello\", please"', '299 a "two"')
    )
    sent = Sent([warned])

    await sent.send(CREATE)
    assert sent.warnings == ['say "hello", please', "two"]


@pytest.mark.parametrize("code", [200, 410])
async def test_the_warnings_of_a_stream_are_handed_on_when_it_opens(code: int) -> None:
    sent = Sent([])
    sent.transport.steps.append(ScriptedStream((b"{}",), code, warned=('299 - "v1beta1 is old"',)))

    with suppress(Gone):
        async with sent.client._session.stream(READ):
            assert sent.warnings == ["v1beta1 is old"]
    assert sent.warnings == ["v1beta1 is old"]


async def test_each_warning_is_logged_once_per_client(caplog: pytest.LogCaptureFixture) -> None:
    warned = [Response(status=200, headers={}, body=b"{}", warnings=(f'299 - "{text}"',)) for text in "abab"]
    client = Client(ScriptedTransport([*warned, warned[0]]))

    for _ in range(4):
        await client.send(READ)
    await client.using(dry_run=True).send(READ)
    assert [record.getMessage().rpartition(" ")[2] for record in caplog.records] == ["a", "b"]

    await Client(ScriptedTransport([warned[0]])).send(READ)
    assert len(caplog.records) == 3, "another client says it again"


def test_the_log_of_warnings_remembers_a_thousand_and_forgets_the_oldest(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = WarningLog()
    for number in range(1001):
        log(READ, str(number))
    caplog.clear()

    log(READ, "1000")
    log(READ, "1")
    assert not logged(caplog)
    log(READ, "0")
    assert len(caplog.records) == 1


def test_the_text_of_a_request_and_of_an_answer_shows_no_body() -> None:
    secret = b'{"kind":"Secret","data":{"password":"aHVudGVyMg=="}}'
    request = Request(method="POST", path="/api/v1/namespaces/a/secrets", body=secret)

    assert "aHVudGVyMg" not in repr(request) + repr(Response(status=200, headers={}, body=secret))


async def test_an_answer_that_is_no_json_is_a_failed_connection() -> None:
    sent = Sent([Response(status=200, headers={}, body=b"<html>login</html>")])

    with pytest.raises(ConnectionFailedError, match="is this an API server"):
        await sent.client.json(READ)


@pytest.mark.parametrize("code", [301, 302, 307, 308])
async def test_an_answer_that_leads_elsewhere_is_a_failed_connection(code: int) -> None:
    login = answer(code, location="https://login.example.com/")
    moved = ScriptedStream((), code, location="https://login.example.com/")
    sent = Sent([login])
    sent.transport.steps.append(moved)
    words = f"the answer leads to https://login.example.com/ .{code}.; is this an API server"

    with pytest.raises(ConnectionFailedError, match=words) as caught:
        await sent.send(READ)
    assert caught.value.lasting
    with pytest.raises(ConnectionFailedError, match=words):
        async with sent.client.stream(READ):
            pass
    assert len(sent.transport.requests) == 2


async def test_a_client_closes_its_transport() -> None:
    sent = Sent([])
    async with sent.client:
        pass
    assert sent.transport.closed == 1


async def test_opening_a_stream_is_repeated_but_not_what_follows() -> None:
    transport = ScriptedTransport([NEVER_SENT, ScriptedStream((b"a", CUT))])
    client = Client(transport, ClientOptions(retry=Retry(first=timedelta(), clock=ManualClock())))

    seen = []
    with pytest.raises(ConnectionFailedError, match="cut"):
        async with client._session.stream(READ) as stream:
            seen.extend([line async for line in stream.lines()])
    assert len(transport.requests) == 2
    assert seen == []


async def test_a_refused_stream_is_an_error() -> None:
    refusal = ScriptedStream((b'{"kind":"Status","code":410,"reason":"Expired","message":"too old"}',), 410)

    with pytest.raises(Gone, match="too old"):
        async with Client(ScriptedTransport([refusal]))._session.stream(READ):
            pass
