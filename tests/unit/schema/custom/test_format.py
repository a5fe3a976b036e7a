from __future__ import annotations

import pytest

from windlass.schema.custom.format import judge_of

CASES: dict[str, tuple[list[str], list[str]]] = {
    "bsonobjectid": (["507f1f77bcf86cd799439011"], ["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g"]),
    "byte": (["aGk=", "YWJj"], ["aGk", "", "a_k="]),
    "creditcard": (["4220855426222389", "4220 8554-2622 2389"], ["4220855426213389", ""]),
    "date": (
        ["2020-02-29", "0000-02-29"],
        ["2020-02-31", "2019-02-29", "2020-1-01", "2020-13-01", "x2020-01-01"],
    ),
    "date-time": (
        ["2020-01-01T00:00:00Z", "2020-01-01t00:00:00.5+02:00", "2020-01-01T00:00:00zTwhatever"],
        ["2020-01-01", "2020-01-01 00:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T00:00:00", "T"],
    ),
    "duration": (
        ["1h5m", "3 days", "0", "-1.5h", ".5s", "1.s", "1\u03bcs", "2 WEEKS", "9999999999h"],
        ["soon", "1 x", "", "-", "5", ".s", "99999999999999999999s"],
    ),
    "hexcolor": (["#FFF", "ccCCcc"], ["#ff", "fff0"]),
    "hostname": (["www.example.com", "a", "é.com"], ["a b", "-a", "a.b-", "x" * 64]),
    "isbn": (["0321751043", "978-0321751041"], ["0321751044"]),
    "isbn10": (["3 401 01319 X"], ["3 401 01319 Y"]),
    "isbn13": (["978-4-87311-368-5"], ["978-4-87311-368-6"]),
    "k8s-long-name": (["a.b-c"], ["A", "a..b", "a" * 254]),
    "k8s-short-name": (["a-b"], ["a.b", "a" * 64]),
    "password": (["anything"], []),
    "rgbcolor": (["rgb(0,31,255)", "rgb( 0, 31, 255 )"], ["rgb(01,31,255)", "RGB(0,0,0)", "rgb(0,0,256)"]),
    "ssn": (["191-60-2869", "191 60 2869"], ["191602869", "19160-2869"]),
    "uuid": (["123e4567-e89b-12d3-a456-426614174000", "123E4567e89b12d3a456426614174000"], ["123e4567"]),
    "uuid3": (["123e4567-e89b-32d3-a456-426614174000"], ["123e4567-e89b-42d3-a456-426614174000"]),
    "uuid4": (["123e4567-e89b-42d3-a456-426614174000"], ["123e4567-e89b-42d3-c456-426614174000"]),
    "uuid5": (["123e4567-e89b-52d3-a456-426614174000"], ["123e4567-e89b-42d3-a456-426614174000"]),
}


@pytest.mark.parametrize("form", CASES)
def test_a_format_tells_good_from_bad(form: str) -> None:
    judge = judge_of(form)
    good, bad = CASES[form]

    assert judge is not None
    assert [text for text in good if not judge(text)] == []
    assert [text for text in bad if judge(text)] == []


@pytest.mark.parametrize("form", ["datetime", "date-time", "-date-time-"])
def test_dashes_in_the_name_of_a_format_do_not_matter(form: str) -> None:
    assert judge_of(form) is judge_of("date-time") is not None


@pytest.mark.parametrize("form", ["banana", "int32", "ip", "quantity", ""])
def test_other_formats_are_not_enforced(form: str) -> None:
    assert judge_of(form) is None
