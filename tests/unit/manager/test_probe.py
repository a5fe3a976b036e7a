"""`/healthz` and `/readyz`, in the form that people know."""

from __future__ import annotations

import logging

import pytest

from windlass.manager import Ask, Probe


def probe(**verdicts: str | None) -> Probe:
    made = Probe("readyz")
    for name, why in verdicts.items():
        made.add(name, lambda why=why: why)  # type: ignore[misc]
    return made


def asked(made: Probe, path: str = "/readyz", **query: list[str]) -> tuple[int, str]:
    page = made.answer(Ask(path=path, query=query))
    return page.status, page.body.decode()


def test_what_is_fine_is_ok() -> None:
    assert asked(probe(caches=None)) == (200, "ok")
    assert asked(probe()) == (200, "ok")


def test_a_failed_check_tells_all_of_them_and_the_reason() -> None:
    assert asked(probe(election=None, caches="Pod: being listed")) == (
        500,
        "[-]caches failed: Pod: being listed\n[+]election ok\nreadyz check failed\n",
    )


def test_verbose_tells_all_of_them_though_all_are_fine() -> None:
    assert asked(probe(b=None, a=None), verbose=[""]) == (200, "[+]a ok\n[+]b ok\nreadyz check passed\n")


def test_a_remark_is_told_of_what_is_fine() -> None:
    made = Probe("readyz")
    made.add("caches", lambda: None, remark=lambda: "over budget: Pod")
    made.add("election", lambda: None, remark=lambda: "")

    assert asked(made, verbose=[""])[1].splitlines()[:2] == [
        "[+]caches ok: over budget: Pod",
        "[+]election ok",
    ]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/readyz/election", (200, "ok")),
        ("/readyz/caches", (500, "[-]caches failed: Pod: being listed\n")),
        ("/readyz/caches/", (500, "[-]caches failed: Pod: being listed\n")),
        ("/readyz/nothing", (404, "404 page not found\n")),
    ],
)
def test_one_check_can_be_asked_for_alone(path: str, answer: tuple[int, str]) -> None:
    assert asked(probe(election=None, caches="Pod: being listed"), path) == answer


def test_checks_can_be_left_out_and_one_that_is_not_there_is_told() -> None:
    made = probe(election=None, caches="Pod: being listed")

    assert asked(made, exclude=["caches"]) == (200, "ok")
    assert asked(made, exclude=["caches", "disk"], verbose=[""]) == (
        200,
        (
            "[+]caches excluded: ok\n[+]election ok\n"
            "warn: some health checks cannot be excluded: no matches for disk\nreadyz check passed\n"
        ),
    )


def test_a_failure_is_logged_when_it_begins_and_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    why: list[str | None] = [None, "for 1 s", "for 2 s", None, None]
    made = Probe("readyz")
    made.add("caches", lambda: why.pop(0))
    with caplog.at_level(logging.INFO, "windlass.manager.health"):
        for _ in range(5):
            asked(made)

    told = [
        (each.levelname, each.getMessage(), vars(each)["windlass"].get("reason")) for each in caplog.records
    ]
    assert told == [
        ("WARNING", "Health check failed", "for 1 s"),
        ("INFO", "Health check passes again", None),
    ]


@pytest.mark.parametrize("name", ["caches", "", "a/b"])
def test_a_name_that_is_taken_or_is_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot have another check"):
        probe(caches=None).add(name, lambda: None)
