"""The differential test can fail: its parts, and that it finds a server that lies."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from typing_extensions import override

from contract import Reply
from differential_change import TWIN, Change, changed, places
from differential_normal import Normal
from differential_pair import pair_of
from differential_run import UNSHRUNK, compare, explore
from differential_step import Open, Step, in_common
from differential_verdict import Accepted, Difference, Register, differences, differing_answers
from windlass.client import Response, Stream, Transport
from windlass.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from windlass.client import Request

NO_DIFFERENCES = Register((), "configuration")
NOW = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
UIDS = ("11111111-2222-3333-4444-555555555555", "66666666-2222-3333-4444-555555555555")


def normal(*bodies: Any) -> list[Any]:
    """What one server's answers are compared as."""
    server = Normal()
    return [server.body(body) for body in bodies]


def test_uids_and_versions_are_numbered_as_they_appear() -> None:
    one, two = (
        {"metadata": {"uid": uid, "resourceVersion": version}}
        for uid, version in zip(UIDS, ("71", "15"), strict=True)
    )

    assert normal(one, two, one) == [
        {"metadata": {"uid": "<uid 1>", "resourceVersion": "<version 1>"}},
        {"metadata": {"uid": "<uid 2>", "resourceVersion": "<version 2>"}},
        {"metadata": {"uid": "<uid 1>", "resourceVersion": "<version 1>"}},
    ]


def test_a_version_in_a_message_has_the_number_that_it_has_elsewhere() -> None:
    told = "the ResourceVersion in the precondition (15) does not match the ResourceVersion in record (71)"

    assert normal({"resourceVersion": "71"}, told)[1] == (
        "the ResourceVersion in the precondition (<version 2>) does not match the ResourceVersion in record (<version 1>)"
    )


def test_only_times_about_now_are_alike() -> None:
    assert normal({"at": NOW, "then": "2020-01-01T00:00:00Z"}) == [
        {"at": "<time 0>", "then": "2020-01-01T00:00:00Z"}
    ]


def test_the_precision_of_a_time_is_compared() -> None:
    assert normal(NOW) != normal(NOW.replace("Z", ".000000Z"))


def test_managers_may_come_in_any_order() -> None:
    entries = [{"manager": name, "operation": "Update"} for name in ("b", "a")]

    assert normal({"managedFields": entries}) == normal({"managedFields": entries[::-1]})


def test_managers_may_come_in_any_order_also_in_the_text_of_an_object() -> None:
    managers = [{"manager": name, "time": f"2026-01-02T03:04:0{second}Z"} for second, name in enumerate("ab")]
    texts = [
        orjson.dumps({"metadata": {"managedFields": each}}).decode() for each in (managers, managers[::-1])
    ]

    assert len({Normal().text(f"patch: Invalid value: {orjson.dumps(text).decode()}") for text in texts}) == 1


def test_causes_may_come_in_any_order_and_twice() -> None:
    one, two = {"field": "a", "message": "x"}, {"field": "b", "message": "y"}
    said = {"kind": "Status", "message": "[a: x, b: y]", "details": {"causes": [one, two]}}
    also = {"kind": "Status", "message": "[b: y, a: x]", "details": {"causes": [two, one, two]}}

    assert normal(said) == normal(also)


def test_items_of_a_list_keep_their_order() -> None:
    assert normal({"items": [{"a": 1}, {"a": 2}]}) != normal({"items": [{"a": 2}, {"a": 1}]})


def test_the_ages_of_a_table_are_alike() -> None:
    young, old = ({"kind": "Table", "rows": [{"cells": ["a", age, "2m"]}]} for age in ("0s", "3s"))

    assert normal(young) == normal(old)


@pytest.mark.parametrize(
    ("real", "embedded", "found"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [("/a/b", 1, 2)]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [("/a/1", 2, 3)]),
        ({"a": [1]}, {"a": [1, 1]}, [("/a", [1], [1, 1])]),
        ({"a": 1}, {"a": 1.0}, [("/a", 1, 1.0)]),
        ({"a": True}, {"a": 1}, [("/a", True, 1)]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1}]}, []),
    ],
)
def test_the_smallest_values_that_differ_are_told(real: Any, embedded: Any, found: list[Any]) -> None:
    assert [(each.where, each.real, each.embedded) for each in differences(real, embedded)] == found


def test_what_only_one_server_has_is_a_difference() -> None:
    (found,) = differences({"a": None}, {})

    assert str(found) == "/a:\n      real     null\n      embedded nothing"


def test_where_one_server_refuses_nothing_else_is_told() -> None:
    refusal = {"kind": "Status", "message": "no"}
    (found,) = differing_answers({"status": 422, "body": refusal}, {"status": 200, "body": {"kind": "Pod"}})

    assert (found.where, found.real, found.embedded) == ("/status", "422 no", "200")


KNOWN = Accepted("x", "because", "pods", "PATCH .*/pods/.*", "/body/message", '"no .*"', '"never"')
DIFFERENCE = Difference("/body/message", "no pods", "never")


def test_an_accepted_difference_is_counted() -> None:
    register = Register([KNOWN], "pods")

    assert register.unexpected("PATCH /api/v1/namespaces/a/pods/b", [DIFFERENCE]) == []
    assert register.met == {"x": 1}
    assert register.unmet("pods") == []


@pytest.mark.parametrize(
    ("request_line", "difference"),
    [
        ("PUT /api/v1/namespaces/a/pods/b", DIFFERENCE),
        ("PATCH /api/v1/namespaces/a/pods/b", replace(DIFFERENCE, where="/body/messages")),
        ("PATCH /api/v1/namespaces/a/pods/b", replace(DIFFERENCE, real="none")),
        ("PATCH /api/v1/namespaces/a/pods/b", replace(DIFFERENCE, embedded="never ever")),
    ],
)
def test_an_accepted_difference_hides_no_other(request_line: str, difference: Difference) -> None:
    register = Register([KNOWN], "pods")

    assert register.unexpected(request_line, [difference]) == [difference]
    assert register.unmet("pods") == ["x"]


def test_an_accepted_difference_is_none_in_another_area() -> None:
    register = Register([KNOWN], "network")

    assert register.unexpected("PATCH /api/v1/namespaces/a/pods/b", [DIFFERENCE]) == [DIFFERENCE]
    assert register.unmet("network") == []


def test_what_follows_from_an_accepted_difference_is_accepted_with_it_alone() -> None:
    register = Register([replace(KNOWN, also="/body/reason")], "pods")
    follows, other = Difference("/body/reason", "a", "b"), Difference("/body/code", 1, 2)

    assert register.unexpected("PATCH /api/v1/namespaces/a/pods/b", [DIFFERENCE, follows, other]) == [other]
    assert register.unexpected("PATCH /api/v1/namespaces/a/pods/b", [follows]) == [follows]


def test_what_two_servers_do_not_have_in_common_stays_open() -> None:
    one, other = ({"metadata": {"name": "a", "uid": uid}, "ports": [80]} for uid in UIDS)
    uid = Open("value", "/a", ("metadata", "uid"))

    assert in_common("/a", one, other) == {"metadata": {"name": "a", "uid": uid}, "ports": [80]}


def test_a_twin_is_sent_under_the_same_name() -> None:
    step = Step("POST", "/", base={"a": 1}, changes=(Change((f"a{TWIN}",), 2),))

    assert step.body(str) == b'{"a":1,"a":2}'


def test_changes_leave_the_value_as_it_was() -> None:
    value = {"a": [{"b": 1}]}

    assert changed(value, Change(("a", 0, "b"), 2), Change(("a", 1), 3)) == {"a": [{"b": 2}, 3]}
    assert changed(value, Change(("a", 0), what="drop"), Change(("x", "y"), 1)) == {"a": [], "x": {"y": 1}}
    assert changed(value, Change(("a", "x"), 1), Change(("x", "y"), what="drop")) == value
    assert value == {"a": [{"b": 1}]}


def test_the_places_of_a_value_are_all_but_the_managers() -> None:
    value = {"metadata": {"managedFields": [{}]}, "a": [1]}

    assert [place.way for place in places(value, None)] == [(), ("metadata",), ("a",), ("a", 0)]


class Liar(Transport):
    """A server that answers truthfully, but for one thing."""

    def __init__(self, lie: Callable[[Request, Response], Response], *, forgetful: bool = False) -> None:
        self._honest = Cluster().transport()
        self._lie = lie
        self._forgetful = forgetful

    @override
    async def send(self, request: Request) -> Response:
        return self._lie(request, await self._honest.send(request))

    @override
    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[Stream]:
        async with self._honest.stream(request) as stream:
            yield _Forgetful(stream) if self._forgetful else stream

    @override
    async def close(self) -> None:
        await self._honest.close()


class _Forgetful(Stream):
    """Events without those of changes."""

    def __init__(self, honest: Stream) -> None:
        self._honest = honest

    @property
    @override
    def status(self) -> int:
        return self._honest.status

    @property
    @override
    def headers(self) -> Mapping[str, str]:
        return self._honest.headers

    @property
    @override
    def warnings(self) -> tuple[str, ...]:
        return self._honest.warnings

    @override
    async def lines(self) -> AsyncIterator[bytes]:
        async for line in self._honest.lines():
            if b'"MODIFIED"' not in line:
                yield line


def honest(_: Request, answer: Response) -> Response:
    return answer


def of_another_status(_: Request, answer: Response) -> Response:
    return replace(answer, status=200) if answer.status == 201 else answer


def without_warnings(_: Request, answer: Response) -> Response:
    return replace(answer, warnings=())


def of_other_managers(_: Request, answer: Response) -> Response:
    return replace(answer, body=answer.body.replace(b'"f:data"', b'"f:date"'))


def of_another_message(_: Request, answer: Response) -> Response:
    body = orjson.loads(answer.body)
    if body.get("reason") != "Conflict":
        return answer
    return replace(answer, body=orjson.dumps({**body, "message": body["message"] + "!"}))


def test_two_honest_servers_agree() -> None:
    with pair_of(lambda: (Cluster().transport(), Liar(honest)), NO_DIFFERENCES) as pair:
        assert compare(pair, "configuration", [1]) > 0


@pytest.mark.parametrize("lie", [of_another_status, without_warnings, of_other_managers, of_another_message])
def test_a_lie_is_found(lie: Callable[[Request, Response], Response]) -> None:
    with (
        pair_of(lambda: (Cluster().transport(), Liar(lie)), NO_DIFFERENCES) as pair,
        pytest.raises(AssertionError, match="the servers differ") as raised,
    ):
        compare(pair, "configuration", range(1, 100), UNSHRUNK)

    assert "--hypothesis-seed=" in "".join(raised.value.__notes__)


def test_exploring_goes_on_after_a_finding_and_tells_each_sort_once() -> None:
    def of_two_lies(request: Request, answer: Response) -> Response:
        return without_warnings(request, of_another_message(request, answer))

    with (
        pair_of(lambda: (Cluster().transport(), Liar(of_two_lies)), NO_DIFFERENCES) as pair,
        pytest.raises(ExceptionGroup) as raised,
    ):
        explore(pair, "configuration", range(1, 10))

    told = [str(each) for each in raised.value.exceptions]
    assert any("    /warnings" in each for each in told)
    assert any("    /body/message" in each for each in told)
    assert len(told) < 9


def test_an_event_that_is_kept_back_is_found() -> None:
    with (
        pair_of(lambda: (Cluster().transport(), Liar(honest, forgetful=True)), NO_DIFFERENCES) as pair,
        pytest.raises(AssertionError, match="/events"),
    ):
        compare(pair, "configuration", range(1, 100), UNSHRUNK)


def test_the_answer_of_a_refusal_is_compared_by_its_status_and_message() -> None:
    reply = Reply(404, {"kind": "Status", "message": "gone"}, {"content-type": "application/json"})

    assert Normal().answer(reply) == {
        "status": 404,
        "type": "application/json",
        "warnings": [],
        "body": {"kind": "Status", "message": "gone"},
    }
