"""CEL: the functions that rules may use."""

from typing import Any

import pytest

from contract_crd import Definitions, array, integer, invalid, obj, rules, spec, string

TEXT = string(maxLength=60)
NUMBERS = array(integer(), maxItems=5)


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("isQuantity(self) && quantity(self).compareTo(quantity('1Gi')) <= 0", "1G", "1.5Gi"),
        ("quantity(self).isLessThan(quantity('1'))", "999m", "1"),
        ("quantity(self).add(quantity('1k')).asInteger() == 2000", "1000", "1001"),
        ("isURL(self) && url(self).getHostname() == 'example.com'", "https://example.com:1/a", "example.com"),
        ("url(self).getQuery() == {'a': ['1']}", "https://b/?a=1", "https://b/?a=2"),
        ("isIP(self) && ip(self).family() == 4", "1.2.3.4", "::1"),
        ("ip(self).isLoopback()", "127.0.0.1", "10.0.0.1"),
        ("isCIDR(self) && cidr(self).prefixLength() == 24", "10.0.0.0/24", "10.0.0.0/8"),
        ("cidr('10.0.0.0/8').containsIP(self)", "10.9.9.9", "11.0.0.1"),
        ("cidr('10.0.0.0/8').containsCIDR(self)", "10.1.0.0/16", "11.0.0.0/8"),
        ("!format.dns1123Label().validate(self).hasValue()", "a-b", "A"),
        (
            "!format.named('uuid').value().validate(self).hasValue()",
            "123e4567-e89b-12d3-a456-426614174000",
            "x",
        ),
        ("isSemver(self) && semver(self).isGreaterThan(semver('1.9.0'))", "1.10.0", "1.2.0"),
        ("semver(self).major() == 2", "2.1.0-rc.1+build", "3.0.0"),
        ("isSemver(self)", "1.2.3", "v1.2.3"),
        (r"self.matches('^\\d+$')", "12", "1a"),
        ("self.matches('b')", "abc", "acd"),
        ("self.find('[0-9]+') == '12'", "ab12cd3", "ab3cd12"),
        ("self.findAll('[0-9]+') == ['1', '2']", "a1b2", "a1b2c3"),
        ("size(self) == 2", "éé", "é"),
        ("self.startsWith('a') && self.endsWith('c') && self.contains('b')", "abc", "ab"),
        ("self.split(',') == ['a', 'b']", "a,b", "a;b"),
        ("self.lowerAscii() == 'ab' && self.upperAscii() == 'AB'", "aB", "ac"),
        ("self.replace('a', 'b').substring(1) == 'bb'", "aaa", "aca"),
        ("self.trim().indexOf('b') == 1", " ab ", " cab "),
        ("'%s-%d'.format([self, 7]) == 'a-7'", "a", "b"),
        ("self in ['a', 'b']", "a", "c"),
        ("sets.contains(['a', 'b'], [self])", "b", "c"),
        ("duration(self).getHours() == 2", "2h", "3h"),
        ("timestamp(self).getFullYear() == 2020", "2020-06-01T00:00:00Z", "2021-06-01T00:00:00Z"),
        ("int(self) > 5", "6", "5"),
        ("self == 'a' ? true : self > 'm'", "n", "b"),
    ],
)
async def test_a_function_of_text(crds: Definitions, rule: str, good: str, bad: str) -> None:
    widgets = await crds.serve(spec(f=TEXT | rules(rule)))

    assert (await widgets.create("good", spec={"f": good})).status == 201
    assert invalid(await widgets.create("bad", spec={"f": bad})) == {
        f'spec.f: Invalid value: "{bad}": failed rule: {rule}'
    }


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("self.all(x, x > 0)", [1, 2], [1, 0]),
        ("self.exists(x, x > 1)", [0, 2], [0, 1]),
        ("self.exists_one(x, x > 1)", [0, 2], [2, 2]),
        ("self.map(x, x * 2).filter(x, x > 2) == [4]", [1, 2], [2, 2]),
        ("self.all(i, x, x == i)", [0, 1], [1, 0]),
        ("self.isSorted()", [1, 2, 2], [2, 1]),
        ("self.sum() == 3", [1, 2], [1, 1]),
        ("self.min() == 1 && self.max() == 2", [2, 1], [2, 3]),
        ("self.indexOf(2) == 1", [1, 2], [2, 1]),
        ("self[0] == 1 && self.size() == 2", [1, 2], [1]),
        ("self + [3] == [1, 3]", [1], [2]),
        ("sets.equivalent(self, [1, 2])", [2, 1, 2], [1]),
    ],
)
async def test_a_function_of_a_list(crds: Definitions, rule: str, good: list[int], bad: list[int]) -> None:
    widgets = await crds.serve(spec(f=NUMBERS | rules(rule)))

    assert (await widgets.create("good", spec={"f": good})).status == 201
    assert invalid(await widgets.create("bad", spec={"f": bad})) == {
        f"spec.f: Invalid value: failed rule: {rule}"
    }


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ("!has(self.a) || self.a > 0", {}, {"a": 0}),
        ("self.?a.orValue(1) > 0", {}, {"a": 0}),
        ("self.?o.?b.hasValue()", {"o": {"b": 1}}, {"o": {}}),
        ("optional.none() == self.?a", {}, {"a": 1}),
        ("self.?a.optMap(x, x + 1).orValue(0) == 2", {"a": 1}, {}),
        ("type(self.a) == int && dyn(self.a) != 'x' && self.a != 2", {"a": 1}, {"a": 2}),
        ("self.a % 2 == 0 && -self.a < 0", {"a": 2}, {"a": 3}),
    ],
)
async def test_a_function_of_an_object(crds: Definitions, rule: str, good: Any, bad: Any) -> None:
    widgets = await crds.serve(obj(spec=obj(a=integer(), o=obj(b=integer())) | rules(rule)))

    assert (await widgets.create("good", spec=good)).status == 201
    assert invalid(await widgets.create("bad", spec=bad)) == {f"spec: Invalid value: failed rule: {rule}"}


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("base64.decode(self) == b'x'", "base64"),
        ("cel.bind(x, self, x == 'a')", "cel"),
        ("math.greatest(1, 2) == 2", "math"),
        ("authorizer.path('/').check('get').allowed()", "authorizer"),
        ("request.name == 'x'", "request"),
    ],
)
async def test_what_other_cel_environments_know_is_unknown_here(
    crds: Definitions, rule: str, name: str
) -> None:
    (complaint,) = await crds.refuse(spec(f=TEXT | rules(rule)))

    assert f"undeclared reference to '{name}' (in container '')" in complaint


async def test_arithmetic_that_overflows_is_an_error_of_the_rule(crds: Definitions) -> None:
    widgets = await crds.serve(spec(f=integer() | rules("self + 1 > 0")))

    assert invalid(await widgets.create("a", spec={"f": 9223372036854775807})) == {
        'spec.f: Invalid value: "integer": integer overflow evaluating rule: self + 1 > 0'
    }
