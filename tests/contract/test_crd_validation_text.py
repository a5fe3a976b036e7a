"""validation: patterns and formats of text."""

import pytest

from contract_crd import Definitions, invalid, spec, string


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        pytest.param("b+", "abba", "aaa", id="anywhere-in-the-text"),
        pytest.param("^[a-z]+$", "abc", "abc\n", id="the-end-is-not-before-a-final-newline"),
        pytest.param("^[a-z]+$", "abc", "a\nb", id="the-end-is-not-the-end-of-a-line"),
        pytest.param(r"^\d$", "1", "٣", id="digits-are-ascii"),
        pytest.param(r"^\w$", "a", "é", id="words-are-ascii"),
        pytest.param(r"^\s$", " ", "\u00a0", id="spaces-are-ascii"),
        pytest.param(r"^.$", "é", "\n", id="dot-is-a-character-but-no-newline"),
        pytest.param(r"^[[:alpha:]]$", "a", "1", id="posix-class"),
        pytest.param(r"^\pL$", "é", "1", id="unicode-class"),
        pytest.param(r"^a\z", "a", "a\n", id="lower-case-z"),
        pytest.param(r"^(?i)abc$", "ABC", "ABD", id="flag-in-the-middle"),
        pytest.param(r"^\x{41}$", "A", "B", id="code-point"),
        pytest.param(r"^\Qa.b\E$", "a.b", "axb", id="quoted"),
        pytest.param("^a{,2}$", "a{,2}", "aa", id="a-repetition-needs-its-lower-bound"),
    ],
)
async def test_a_pattern_is_a_re2_expression(crds: Definitions, pattern: str, good: str, bad: str) -> None:
    widgets = await crds.serve(spec(f=string(pattern=pattern)))

    assert (await widgets.create("good", spec={"f": good})).ok()["spec"] == {"f": good}
    reply = await widgets.create("bad", spec={"f": bad})
    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.f"]
    assert reply.body["message"].endswith(f": spec.f in body should match '{pattern}'")


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("([", "missing closing ]: `[`"),
        ("a(b", "missing closing ): `a(b`"),
        ("^(?!x)", "invalid or unsupported Perl syntax: `(?!`"),
        ("(?<=x)a", "invalid named capture: `(?<=x)a`"),
        (r"^(a)\1$", r"invalid escape sequence: `\1`"),
        (r"a\Z", r"invalid escape sequence: `\Z`"),
        (r"\u0041", r"invalid escape sequence: `\u`"),
        ("a++", "invalid nested repetition operator: `++`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("*a", "missing argument to repetition operator: `*`"),
        ("[z-a]", "invalid character class range: `z-a`"),
    ],
)
async def test_a_pattern_that_is_not_re2_is_refused_in_the_definition(
    crds: Definitions, pattern: str, fault: str
) -> None:
    (complaint,) = await crds.refuse(spec(f=string(pattern=pattern)))

    field = "spec.validation.openAPIV3Schema.properties[spec].properties[f].pattern"
    assert complaint.startswith(f"{field}: Invalid value: ")
    assert complaint.endswith(
        f": must be a valid regular expression, but isn't: error parsing regexp: {fault}"
    )


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        ("date-time", "2020-01-01T00:00:00Z", "2020-01-01"),
        ("date-time", "2020-01-01T00:00:00.5+02:00", "2020-01-01 00:00:00Z"),
        ("date", "2020-02-29", "2020-02-31"),
        ("byte", "aGk=", "aGk"),
        ("byte", "aGk=", ""),
        ("ipv4", "1.2.3.4", "1.2.3"),
        ("ipv6", "::1", "1.2.3.4"),
        ("cidr", "10.0.0.0/8", "10.0.0.0"),
        ("uri", "https://example.com/a", "not a uri"),
        ("uri", "/relative", "relative"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"),
        ("uuid4", "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("email", "a@example.com", "a"),
        ("hostname", "www.example.com", "a b"),
        ("mac", "00:11:22:33:44:55", "0"),
        ("duration", "1h5m", "soon"),
        ("duration", "3 days", "1 x"),
    ],
)
async def test_a_known_format_is_enforced(crds: Definitions, form: str, good: str, bad: str) -> None:
    widgets = await crds.serve(spec(f=string(format=form)))

    assert (await widgets.create("good", spec={"f": good})).ok()["spec"] == {"f": good}
    assert invalid(await widgets.create("bad", spec={"f": bad})) == {
        f'spec.f: Invalid value: "{bad}": spec.f in body must be of type {form}: "{bad}"'
    }


@pytest.mark.parametrize("form", ["banana", "int32", "password", "ip", "quantity"])
async def test_an_unknown_format_of_text_is_not_enforced(crds: Definitions, form: str) -> None:
    widgets = await crds.serve(spec(f=string(format=form)))

    assert (await widgets.create("a", spec={"f": "anything"})).status == 201
