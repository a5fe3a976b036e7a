"""Rules that use one thing each of what Kubernetes adds to CEL, or where it has its own way."""

from typing import Any

from benchmarks.cel_corpus import PROBE, Case, Schema

TEXT: Schema = {"type": "string", "maxLength": 64}
NUMBERS: Schema = {"type": "array", "maxItems": 150, "items": {"type": "integer"}}
SET: Schema = {
    "type": "array",
    "x-kubernetes-list-type": "set",
    "maxItems": 9,
    "items": {"type": "string", "maxLength": 9},
}
TRUE_OF_AN_ADDRESS = {
    "lists": (
        "[1, 2, 3].isSorted()",
        "[1, 2].sum() == 3",
        "[1, 2].max() == 2",
        "[1, 2, 1].lastIndexOf(1) == 2",
    ),
    "regex": ("self.find('[0-9]+') == '10'", "self.findAll('[0-9]+').size() == 4"),
    "url": ("isURL('https://a/b')", "url('https://a:80/b?c=d').getQuery() == {'c': ['d']}"),
    "ip": ("isIP(self)", "ip(self).family() == 4"),
    "cidr": ("isCIDR('10.0.0.0/8')", "cidr('10.0.0.0/8').containsIP(self)"),
    "quantity": ("isQuantity('1Gi')", "quantity('1Gi').isGreaterThan(quantity('1G'))"),
    "semver": ("isSemver('1.2.3')", "semver('1.2.3').isLessThan(semver('1.10.0'))"),
    "format": ("!format.dns1123Label().validate('web').hasValue()", "format.named('uuid').hasValue()"),
    "sets": ("sets.contains([1, 2], [1])", "sets.intersects([1], [1, 2])"),
    "optionals": ("optional.of(1).orValue(2) == 1", "{'a': 1}[?'b'].orValue(2) == 2"),
    "strings": (
        "'a,b'.split(',').size() == 2",
        "'%s %d'.format(['a', 1]) == 'a 1'",
        "'B'.lowerAscii() == 'b'",
    ),
    "macros": ("{'a': 1}.all(k, v, k == 'a' && v == 1)", "[1, 2].transformList(i, v, i + v) == [1, 3]"),
    "numbers": ("1 < 1.5", "dyn(1) == 1.0"),
    "time": ("duration('1h') > duration('59m')", "timestamp('2024-02-29T00:00:00Z').getFullYear() == 2024"),
}
# The rule, its schema, a value and the one before it.
SEMANTICS: dict[str, tuple[str, Schema, Any, Any]] = {
    "sets have no order": ("self == oldSelf", SET, ["a", "b"], ["b", "a"]),
    "sets are merged": ("(self + oldSelf).size() == 2", SET, ["a", "b"], ["b"]),
    "22,500 steps": ("self.all(a, self.all(b, a + b >= 0))", NUMBERS, list(range(150)), None),
    "no old value": ("!oldSelf.hasValue() && self == 'a'", TEXT, "a", None),
}


def probes() -> list[Case]:
    """Each as a case, named for its library or for what it is about."""
    libraries = [
        Case(module=PROBE, path=library, rule=rule, schema=TEXT, tries=[("10.0.0.1", None)])
        for library, rules in TRUE_OF_AN_ADDRESS.items()
        for rule in rules
    ]
    semantics = [
        Case(
            module=PROBE,
            path=name,
            rule=rule,
            schema=schema,
            tries=[(value, old)],
            optional_old_self="hasValue" in rule,
        )
        for name, (rule, schema, value, old) in SEMANTICS.items()
    ]
    return libraries + semantics
