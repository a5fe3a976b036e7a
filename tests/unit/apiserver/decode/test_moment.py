import pytest

from windlass.apiserver.decode.moment import canonical_time

LAYOUT = 'as "2006-01-02T15:04:05Z07:00"'


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("2020-01-31T12:30:59Z", "2020-01-31T12:30:59Z"),
        ("2020-01-31T5:00:00Z", "2020-01-31T05:00:00Z"),
        ("2020-01-31T00:00:00.999999999Z", "2020-01-31T00:00:00Z"),
        ("2020-01-31T00:00:00,5Z", "2020-01-31T00:00:00Z"),
        ("2020-01-01T00:30:00+01:00", "2019-12-31T23:30:00Z"),
        ("2020-02-29T23:30:00-24:00", "2020-03-01T23:30:00Z"),
    ],
)
def test_a_time_is_written_in_utc_to_the_second(given: str, written: str) -> None:
    assert canonical_time(given) == written


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", f' {LAYOUT}: cannot parse "" as "2006"'),
        ("x", f' {LAYOUT}: cannot parse "x" as "2006"'),
        ("2020-01-01", f' {LAYOUT}: cannot parse "" as "T"'),
        ("2020-1-01T00:00:00Z", f' {LAYOUT}: cannot parse "1-01T00:00:00Z" as "01"'),
        ("2020-01-01T00:00:00 01:00", f' {LAYOUT}: cannot parse " 01:00" as "Z07:00"'),
        ("2020-01-01T00:00:00z", f' {LAYOUT}: cannot parse "z" as "Z07:00"'),
        ("2020-13-01T00:00:00Z", ": month out of range"),
        ("2021-02-29T00:00:00Z", ": day out of range"),
        ("2020-01-01T24:00:00Z", ": hour out of range"),
        ("2020-01-01T00:60:00Z", ": minute out of range"),
        ("2020-01-01T00:00:60Z", ": second out of range"),
        ("2020-01-01T00:00:00+25:00", ": time zone offset hour out of range"),
        ("2020-01-01T00:00:00+01:61", ": time zone offset minute out of range"),
        ("2020-01-01T00:00:00Zx", ': extra text: "x"'),
    ],
)
def test_what_is_no_time_is_refused_in_the_words_of_go(given: str, why: str) -> None:
    with pytest.raises(ValueError, match="parsing time") as refused:
        canonical_time(given)

    assert str(refused.value) == f'parsing time "{given}"{why}'


def test_a_fine_time_has_six_digits_and_is_refused_with_fewer_or_more() -> None:
    assert canonical_time("2020-01-01T01:00:00.123456+01:00", micro=True) == "2020-01-01T00:00:00.123456Z"
    layout = 'as "2006-01-02T15:04:05.000000Z07:00"'
    for given, rest, wanted in (
        ("2020-01-01T00:00:00Z", "Z", ".000000"),
        ("2020-01-01T00:00:00.5Z", ".5Z", ".000000"),
        ("2020-01-01T00:00:00.1234567Z", "7Z", "Z07:00"),
    ):
        with pytest.raises(ValueError, match="parsing time") as refused:
            canonical_time(given, micro=True)
        assert str(refused.value) == f'parsing time "{given}" {layout}: cannot parse "{rest}" as "{wanted}"'
