import pytest

from windlass.apiserver.discovery import check_health, health_checks


@pytest.mark.parametrize("endpoint", ["healthz", "livez", "readyz"])
def test_a_healthy_server_says_ok_or_each_check(endpoint: str) -> None:
    assert check_health(endpoint) == "ok"

    *checks, verdict, end = check_health(endpoint, verbose=True).split("\n")

    assert checks == [f"[+]{name} ok" for name in health_checks(endpoint)]
    assert checks[0] == "[+]ping ok"
    assert (verdict, end) == (f"{endpoint} check passed", "")


def test_checks_can_be_left_out_and_unknown_ones_are_named() -> None:
    text = check_health("readyz", verbose=True, exclude=["ping", "b", "a"])

    assert text.startswith("[+]ping excluded: ok\n[+]log ok\n")
    assert text.endswith(
        '\nwarn: some health checks cannot be excluded: no matches for "a","b"\nreadyz check passed\n'
    )
