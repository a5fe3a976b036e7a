from copy import copy, deepcopy
from decimal import Decimal, localcontext
from fractions import Fraction
from pickle import dumps, loads
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from windlass.api import Model, Quantity

LARGEST = 2**63 - 1
NANO = Fraction(1, 10**9)

# What Kubernetes (resource.Quantity) makes of each text.
CANONICAL = [
    ("0", "0"),
    ("0Ki", "0"),
    ("-0", "0"),
    ("00", "0"),
    ("0.0", "0"),
    ("0e5", "0"),
    ("+0", "0"),
    ("1", "1"),
    ("+1", "1"),
    ("-1", "-1"),
    ("01", "1"),
    ("1.", "1"),
    (".5", "500m"),
    ("0.5", "500m"),
    ("1.5", "1500m"),
    ("1.500", "1500m"),
    ("1.05", "1050m"),
    ("-0.5", "-500m"),
    ("100m", "100m"),
    ("1000m", "1"),
    ("1500m", "1500m"),
    ("2000m", "2"),
    ("999m", "999m"),
    ("1001m", "1001m"),
    ("0.001", "1m"),
    ("0.0001", "100u"),
    ("0.1", "100m"),
    ("1n", "1n"),
    ("1000n", "1u"),
    ("1u", "1u"),
    ("1000u", "1m"),
    ("1000000n", "1m"),
    ("0.1n", "1n"),
    ("0.5n", "1n"),
    ("1.5n", "2n"),
    ("-0.5n", "-1n"),
    ("0.0000000001", "1n"),
    ("1.0000000001", "1000000001n"),
    ("1k", "1k"),
    ("1000k", "1M"),
    ("1.5k", "1500"),
    ("1000", "1k"),
    ("10000", "10k"),
    ("100000", "100k"),
    ("1000000", "1M"),
    ("1234567", "1234567"),
    ("12.34k", "12340"),
    ("1M", "1M"),
    ("1G", "1G"),
    ("1T", "1T"),
    ("1P", "1P"),
    ("1E", "1E"),
    ("0.5E", "500P"),
    ("1.1E", "1100P"),
    ("9E", "9E"),
    ("1Ki", "1Ki"),
    ("1Mi", "1Mi"),
    ("1Gi", "1Gi"),
    ("1Ti", "1Ti"),
    ("1Pi", "1Pi"),
    ("1Ei", "1Ei"),
    ("1023", "1023"),
    ("1024", "1024"),
    ("1023Ki", "1023Ki"),
    ("1024Ki", "1Mi"),
    ("1025Ki", "1025Ki"),
    ("1536Ki", "1536Ki"),
    ("0.5Ki", "512"),
    ("1.5Ki", "1536"),
    ("0.1Ki", "102400m"),
    ("0.5Mi", "512Ki"),
    ("1.5Gi", "1536Mi"),
    ("0.5Gi", "512Mi"),
    ("2.5Gi", "2560Mi"),
    ("128Mi", "128Mi"),
    ("1048576Ki", "1Gi"),
    ("7Ei", "7Ei"),
    ("8Ei", "9223372036854775807"),
    ("9Ei", "9223372036854775807"),
    ("-9Ei", "-9223372036854775807"),
    ("1.0001Ki", "1024102400u"),
    ("0.001Ki", "1024m"),
    ("100Ki", "100Ki"),
    ("-1.5Gi", "-1536Mi"),
    ("-512Mi", "-512Mi"),
    ("1e3", "1e3"),
    ("1E3", "1e3"),
    ("1e+3", "1e3"),
    ("1e0", "1"),
    ("1e1", "10"),
    ("1e2", "100"),
    ("12e6", "12e6"),
    ("1e-3", "1e-3"),
    ("1e-9", "1e-9"),
    ("1e-10", "1e-9"),
    ("123e-1", "12300e-3"),
    ("1.5e3", "1500"),
    ("100000e-5", "1"),
    ("1e18", "1e18"),
    ("-1e3", "-1e3"),
    ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775807", "-9223372036854775807"),
    ("9223372036854775807n", "9223372036854775807n"),
    ("1e6", "1e6"),
    ("1e05", "100e3"),
    ("0.000000001", "1n"),
    ("1.000000001", "1000000001n"),
    ("999999999999999999", "999999999999999999"),
]


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_the_canonical_form_is_the_one_of_kubernetes(text: str, canonical: str) -> None:
    assert str(Quantity(text)) == canonical
    assert str(Quantity(canonical)) == canonical
    assert Quantity(text) == Quantity(canonical)


@pytest.mark.parametrize("text", [text for text, _ in CANONICAL])
def test_the_text_that_was_read_goes_back_on_the_wire(text: str) -> None:
    assert Quantity(text).to_wire() == text
    assert Quantity(Quantity(text)).to_wire() == text


REFUSED = [
    "", " ", "a", "1 ", " 1", "1 Gi", "1K", "1ki", "1mi", "1kI", "1KI", "1Gii", "1GiB", "1B", "1e", "1e+",
    "1E-", "1.1.1", "1,5", "1_000", "--1", "+-1", "1-", "0x1", "inf", "NaN", "1e1.5", "1e3k", "1ke3",
    "\u0661", "\uff11", "1\n", "½", "1i", "1mm", "1nu", "1%",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity such as"):
        Quantity(text)


@pytest.mark.parametrize("text", [".", "+", "-", "m", "Ki", "e3", ".Gi", "-.e2", "E"])
def test_a_text_without_digits_is_refused_though_go_reads_it_as_zero(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity such as"):
        Quantity(text)


# Kubernetes documents the cap for every form; its Go code applies it to binary suffixes alone.
CAPPED = [
    "8Ei",
    "9Ei",
    "10E",
    "100E",
    "1000E",
    "1e19",
    "1e400",
    "9223372036854775808",
    "9223372036854775807.5",
]


@pytest.mark.parametrize("text", [*CAPPED, "1" + "0" * 4000])
def test_an_amount_beyond_63_bits_is_capped(text: str) -> None:
    assert Quantity(text) == LARGEST
    assert Quantity("-" + text) == -LARGEST
    assert str(Quantity(text)) == str(LARGEST)


def test_a_result_beyond_63_bits_is_capped() -> None:
    assert Quantity("9E") + Quantity("9E") == LARGEST
    assert Quantity("-9E") - Quantity("9E") == -LARGEST
    assert Quantity("9E") * 1000 == LARGEST


@pytest.mark.parametrize(
    "text", ["1e999999999", "1e-999999999", "-1e999999999", "0e999999999", "1.5e-999999999"]
)
def test_a_huge_exponent_costs_nothing(text: str) -> None:
    quantity = Quantity(text)
    assert str(quantity) in {str(LARGEST), str(-LARGEST), "1e-9", "0"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"),
        (-5, "-5"),
        (0.5, "0.5"),
        (0.1, "0.1"),
        (1e-7, "0.0000001"),
        (1e16, "10000000000000000"),
        (Decimal("1.50"), "1.50"),
        (Decimal("1E+3"), "1E+3"),
    ],
)
def test_a_number_is_taken_at_its_decimal_form(value: float | Decimal, text: str) -> None:
    assert Quantity(value).to_wire() == text


@pytest.mark.parametrize(
    "value", [float("inf"), float("-inf"), float("nan"), Decimal("inf"), Decimal("nan"), True]
)
def test_a_number_that_is_none_is_refused(value: float | Decimal) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        Quantity(value)


@pytest.mark.parametrize(
    ("left", "right", "total"),
    [
        ("1", "500m", "1500m"),
        ("1Gi", "1Gi", "2Gi"),
        ("1.5Gi", "512Mi", "2Gi"),
        ("0", "1Gi", "1Gi"),
        ("1Gi", "1", "1073741825"),
        ("1", "1Ki", "1025"),
        ("1e3", "1", "1001"),
        ("0", "1e3", "1e3"),
        ("100m", "900m", "1"),
        ("1Ki", "-1Ki", "0"),
        ("-1", "1", "0"),
        ("1Ki", "-1", "1023"),
        ("512Mi", "0.5Gi", "1Gi"),
        ("1n", "1E", "1000000000000000000000000001n"),
        ("0Ki", "1", "1"),
        ("1k", "24", "1024"),
        ("1", "1e3", "1001"),
    ],
)
def test_a_sum_has_the_form_that_kubernetes_gives_it(left: str, right: str, total: str) -> None:
    assert str(Quantity(left) + Quantity(right)) == total
    assert (Quantity(left) + right).to_wire() == total


@pytest.mark.parametrize(
    ("left", "right", "rest"),
    [
        ("1", "500m", "500m"),
        ("1Gi", "1Gi", "0"),
        ("1.5Gi", "512Mi", "1Gi"),
        ("0", "1Gi", "-1Gi"),
        ("1Gi", "1", "1073741823"),
        ("1", "1Ki", "-1023"),
        ("1e3", "1", "999"),
        ("0", "1e3", "-1e3"),
        ("100m", "900m", "-800m"),
        ("1Ki", "-1Ki", "2Ki"),
        ("-1", "1", "-2"),
        ("1Ki", "-1", "1025"),
        ("512Mi", "0.5Gi", "0"),
        ("1n", "1E", "-999999999999999999999999999n"),
        ("0Ki", "1", "-1"),
        ("1k", "24", "976"),
        ("1", "1e3", "-999"),
    ],
)
def test_a_difference_has_the_form_that_kubernetes_gives_it(left: str, right: str, rest: str) -> None:
    assert str(Quantity(left) - Quantity(right)) == rest
    assert str(Quantity(left) - right) == rest


def test_arithmetic_takes_texts_and_numbers_on_either_side() -> None:
    half = Quantity("500m")
    made = [1 + half, half + 1, 1 - half, half - 1, 3 * half, half * 3, half * Decimal("0.1"), -half]
    assert list(map(str, made)) == ["1500m", "1500m", "500m", "-500m", "1500m", "1500m", "50m", "-500m"]
    assert sum([half, half, Quantity("1Gi")]) == Quantity("1Gi") + 1


@pytest.mark.parametrize(
    ("text", "whole"),
    [("0", 0), ("1", 1), ("1n", 1), ("-1n", -1), ("1500m", 2), ("-1500m", -2), ("1Ki", 1024), ("0.1Ki", 103)],
)
def test_the_whole_amount_is_rounded_away_from_zero(text: str, whole: int) -> None:
    assert int(Quantity(text)) == whole


def test_a_quantity_is_true_unless_it_is_zero() -> None:
    assert Quantity("1n")
    assert Quantity("-1n")
    assert not Quantity("0Ki")


@pytest.mark.parametrize(
    "other", ["1", "1000m", "1e0", 1, 1.0, Decimal(1), Quantity("1000000u"), "+1", "1.000"]
)
def test_equal_amounts_are_equal_however_they_are_written(other: Any) -> None:
    assert Quantity("1") == other
    assert other == Quantity("1")
    assert not Quantity("1") < other
    assert Quantity("1") <= other
    assert Quantity("1") >= other


@pytest.mark.parametrize("other", ["2", "1Ki", 2, 1.5, Decimal("1.0000000001"), 2**70, "9Ei"])
def test_a_larger_amount_is_larger_however_it_is_written(other: Any) -> None:
    assert Quantity("1") < other
    assert Quantity("1") <= other
    assert other > Quantity("1")
    assert Quantity("1") != other


@pytest.mark.parametrize("other", [None, "one", "", object(), [], float("nan"), 2**70, Decimal("1e-12")])
def test_what_is_no_equal_amount_is_not_equal(other: Any) -> None:
    assert Quantity("9Ei") != other
    assert Quantity("1n") != other


@pytest.mark.parametrize("number", [0, 1, -5, 0.5, -0.25, Decimal("0.1"), Decimal("1E+3"), LARGEST])
def test_an_equal_number_has_the_same_hash(number: float | Decimal) -> None:
    quantity = Quantity(number)
    assert quantity == number
    assert hash(quantity) == hash(number)


def test_a_float_is_equal_only_to_what_it_is_exactly() -> None:
    assert Quantity("0.5") == 0.5
    assert Quantity("0.1") != 0.1  # which is a little more; the same holds for Decimal
    assert Quantity("0.1") == Quantity(0.1)


def test_quantities_sort_by_amount() -> None:
    texts = ["1Ki", "1k", "0", "-1", "500m", "1", "1e3", "2Gi", "1n"]
    ordered = sorted(map(Quantity, texts))
    assert [quantity.to_wire() for quantity in ordered] == [
        "-1",
        "0",
        "1n",
        "500m",
        "1",
        "1k",
        "1e3",
        "1Ki",
        "2Gi",
    ]


def test_a_quantity_compares_with_no_word() -> None:
    with pytest.raises(ValueError, match="'lots' is not a quantity"):
        assert Quantity("1") < "lots"


@pytest.mark.parametrize("text", ["1.50", "1Gi", "1e3"])
def test_a_copy_is_the_same_quantity(text: str) -> None:
    quantity = Quantity(text)
    for twin in (copy(quantity), deepcopy(quantity), loads(dumps(quantity))):  # noqa: S301 - our own bytes
        assert (twin, twin.to_wire(), str(twin)) == (quantity, quantity.to_wire(), str(quantity))


def test_a_quantity_shows_its_canonical_form() -> None:
    assert repr(Quantity("1000m")) == "Quantity('1')"


class Limits(Model):
    cpu: Quantity = Quantity("1")
    others: dict[str, Quantity] = {}


def test_a_quantity_in_a_model_is_read_and_written_as_text() -> None:
    wire = {"cpu": "1000m", "others": {"memory": "1.5Gi"}}
    limits = Limits.from_wire(wire)
    assert (limits.cpu, limits.others["memory"]) == (Quantity("1"), Quantity("1536Mi"))
    assert limits.to_wire() == wire


@pytest.mark.parametrize(
    ("value", "text"), [(2, "2"), (0.5, "0.5"), (Decimal("0.25"), "0.25"), ("250m", "250m")]
)
def test_a_model_takes_numbers_for_quantities(value: Any, text: str) -> None:
    assert Limits.from_wire({"cpu": value}).to_wire() == {"cpu": text}


@pytest.mark.parametrize("value", [True, [], {}, "x", None])
def test_a_model_refuses_what_is_no_quantity(value: Any) -> None:
    with pytest.raises(ValidationError, match="is not a quantity such as"):
        Limits.model_validate({"cpu": value})


def exact(quantity: Quantity) -> Fraction:
    return Fraction(quantity.to_decimal())


def kept(amount: Fraction) -> Fraction:
    """The amount as Kubernetes keeps it: rounded away from zero to billionths, and capped."""
    billionths = -(-abs(amount) // NANO)
    rounded = min(billionths * NANO, Fraction(LARGEST))
    return -rounded if amount < 0 else rounded


FACTORS = {
    "": Fraction(1), "n": NANO, "u": Fraction(1, 10**6), "m": Fraction(1, 1000), "k": Fraction(10**3),
    "M": Fraction(10**6), "G": Fraction(10**9), "T": Fraction(10**12), "P": Fraction(10**15),
    "E": Fraction(10**18), "Ki": Fraction(2**10), "Mi": Fraction(2**20), "Gi": Fraction(2**30),
    "Ti": Fraction(2**40), "Pi": Fraction(2**50), "Ei": Fraction(2**60),
    **{f"{letter}{exponent}": Fraction(10) ** exponent for letter in "eE" for exponent in range(-25, 26)},
}  # fmt: skip

numbers = st.from_regex(
    r"[+-]?([0-9]{1,20}(\.[0-9]{0,15})?|\.[0-9]{1,15})", fullmatch=True, alphabet=st.characters(codec="ascii")
)
texts = st.builds(str.__add__, numbers, st.sampled_from(sorted(FACTORS)))
quantities = texts.map(Quantity)


@pytest.mark.property
@settings(deadline=None)
@given(numbers, st.sampled_from(sorted(FACTORS)))
def test_an_amount_is_the_number_times_its_suffix(number: str, suffix: str) -> None:
    assert exact(Quantity(number + suffix)) == kept(Fraction(number) * FACTORS[suffix])


@pytest.mark.property
@settings(deadline=None)
@given(quantities)
def test_the_canonical_form_keeps_the_amount(quantity: Quantity) -> None:
    canonical = str(quantity)
    assert exact(Quantity(canonical)) == exact(quantity)
    assert str(Quantity(canonical)) == canonical


@pytest.mark.property
@settings(deadline=None)
@given(quantities, quantities)
def test_arithmetic_is_exact(left: Quantity, right: Quantity) -> None:
    assert exact(left + right) == kept(exact(left) + exact(right))
    assert exact(left - right) == kept(exact(left) - exact(right))
    assert exact(-left) == -exact(left)


@pytest.mark.property
@settings(deadline=None)
@given(
    quantities,
    st.integers(-(10**20), 10**20) | st.decimals(-(10**9), 10**9, places=12),
)
def test_a_product_is_exact_whatever_the_decimal_context(quantity: Quantity, factor: int | Decimal) -> None:
    with localcontext() as context:
        context.prec = 3
        assert exact(quantity * factor) == kept(exact(quantity) * Fraction(factor))


@pytest.mark.property
@settings(deadline=None)
@given(quantities, quantities)
def test_comparison_is_the_comparison_of_amounts(left: Quantity, right: Quantity) -> None:
    first, second = exact(left), exact(right)
    assert (left < right, left <= right, left == right, left != right, left >= right, left > right) == (
        first < second,
        first <= second,
        first == second,
        first != second,
        first >= second,
        first > second,
    )
    assert left != right or hash(left) == hash(right)


@pytest.mark.property
@settings(deadline=None)
@given(quantities, st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False))
def test_comparison_with_a_number_is_exact(quantity: Quantity, number: float) -> None:
    assert (quantity < number, quantity == number, quantity > number) == (
        exact(quantity) < number,
        exact(quantity) == number,
        exact(quantity) > number,
    )
    assert quantity != number or hash(quantity) == hash(number)


@pytest.mark.property
@settings(deadline=None)
@given(quantities)
def test_the_number_forms_agree(quantity: Quantity) -> None:
    assume(quantity)
    amount = exact(quantity)
    assert float(quantity) == pytest.approx(float(amount))
    assert abs(int(quantity)) == -(-abs(amount) // 1)
    assert (int(quantity) < 0) == (amount < 0)


@pytest.mark.property
@settings(deadline=None)
@given(st.text(max_size=8))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        quantity = Quantity(text)
    except ValueError:
        return
    assert quantity.to_wire() == text
