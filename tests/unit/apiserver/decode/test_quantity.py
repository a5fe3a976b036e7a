import pytest

from windlass.apiserver.decode.quantity import canonical_quantity

FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("0", "0"),
        ("000", "0"),
        ("0m", "0"),
        ("+", "0"),
        (".", "0"),
        ("1", "1"),
        ("1000m", "1"),
        ("1500m", "1500m"),
        ("1.5", "1500m"),
        ("0.1", "100m"),
        ("1000", "1k"),
        ("12000k", "12M"),
        ("-2000", "-2k"),
        ("1024Mi", "1Gi"),
        ("1536Mi", "1536Mi"),
        ("8Gi", "8Gi"),
        ("0.5Gi", "512Mi"),
        ("0.5Ki", "512"),
        ("1.1Ki", "1126400m"),
        ("9999Ei", "9223372036854775807"),
        ("-9999Ei", "-9223372036854775807"),
        ("1e3", "1e3"),
        ("1E3", "1E3"),
        ("1000e3", "1e6"),
        ("1e30", "1e30"),
        ("1e99999", "1e99999"),
        ("1e-999999999", "1e-9"),
        ("-1e-999999999", "-1e-9"),
        ("0e-999999999", "0"),
        ("0.0000000001", "1n"),
        ("-0.0000000001", "-1n"),
        ("1234567890123456789012", "1234567890123456789012"),
        ("1" + "0" * 21, "1"),  # the real server loses it too
        ("1.500", "1.500"),  # looks canonical to the real server
        ("+1", "+1"),
    ],
)
def test_a_quantity_is_written_as_the_server_writes_it(given: str, written: str) -> None:
    assert canonical_quantity(given) == written


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", FORMAT),
        ("x", FORMAT),
        ("1e99999999999999999999", "unable to parse quantity's suffix"),
        ("1" * 5000, "unable to parse numeric part of quantity"),
        ("1x", FORMAT),
        ("1.2.3", FORMAT),
        (" 1", FORMAT),
        ("1e", "unable to parse quantity's suffix"),
        ("1K", "unable to parse quantity's suffix"),
        ("1ee3", "unable to parse quantity's suffix"),
        ("1Ki5", "unable to parse quantity's suffix"),
        ("+Pi", "unable to parse numeric part of quantity"),
    ],
)
def test_what_is_no_quantity_is_refused_in_the_words_of_go(given: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        canonical_quantity(given)

    assert str(refused.value) == message
