from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import LabelSelector, LabelSelectorRequirement, Requirement, Selector

NAME63, NAME64 = "n" * 63, "n" * 64
PREFIX253, PREFIX254 = ".".join(["p" * 63] * 3 + ["q" * 61]), ".".join(["p" * 63] * 3 + ["q" * 62])

# Each row was read by Kubernetes (labels.Parse) in the same way.
ACCEPTED: list[tuple[str, list[tuple[str, str, list[str]]]]] = [
    ("", []),
    ("   ", []),
    ("\t\r\n", []),
    ("a", [("a", "Exists", [])]),
    ("!a", [("a", "DoesNotExist", [])]),
    (" ! a ", [("a", "DoesNotExist", [])]),
    ("a=b", [("a", "In", ["b"])]),
    ("a==b", [("a", "In", ["b"])]),
    (" a = b ", [("a", "In", ["b"])]),
    ("\na\t==\rb\n", [("a", "In", ["b"])]),
    ("a!=b", [("a", "NotIn", ["b"])]),
    ("a=", [("a", "In", [""])]),
    ("a==", [("a", "In", [""])]),
    ("a!=", [("a", "NotIn", [""])]),
    ("a=,b", [("a", "In", [""]), ("b", "Exists", [])]),
    ("a in (b)", [("a", "In", ["b"])]),
    ("a in (b,c)", [("a", "In", ["b", "c"])]),
    ("a in(b,c)", [("a", "In", ["b", "c"])]),
    ("a  in  ( b , c ) ", [("a", "In", ["b", "c"])]),
    ("a notin (b,c)", [("a", "NotIn", ["b", "c"])]),
    ("a in ()", [("a", "In", [""])]),
    ("a notin ( )", [("a", "NotIn", [""])]),
    ("x in (a,,b)", [("x", "In", ["a", "", "b"])]),
    ("x in (,)", [("x", "In", ["", ""])]),
    ("x in (a,)", [("x", "In", ["a", ""])]),
    ("x in (a,a)", [("x", "In", ["a", "a"])]),
    ("in=in", [("in", "In", ["in"])]),
    ("in", [("in", "Exists", [])]),
    ("notin", [("notin", "Exists", [])]),
    ("!in", [("in", "DoesNotExist", [])]),
    ("in in (in)", [("in", "In", ["in"])]),
    ("notin notin (in)", [("notin", "NotIn", ["in"])]),
    ("a>5", [("a", "Gt", ["5"])]),
    ("a < 5", [("a", "Lt", ["5"])]),
    ("a>007", [("a", "Gt", ["007"])]),
    ("a>9223372036854775807", [("a", "Gt", ["9223372036854775807"])]),
    ("a,b", [("a", "Exists", []), ("b", "Exists", [])]),
    ("a , !b", [("a", "Exists", []), ("b", "DoesNotExist", [])]),
    ("a,a=b,a!=c", [("a", "Exists", []), ("a", "In", ["b"]), ("a", "NotIn", ["c"])]),
    ("x in (a,b),y", [("x", "In", ["a", "b"]), ("y", "Exists", [])]),
    ("example.com/app=web", [("example.com/app", "In", ["web"])]),
    ("a/b", [("a/b", "Exists", [])]),
    ("A_b.C-1=X_y.Z-2", [("A_b.C-1", "In", ["X_y.Z-2"])]),
    ("1=1", [("1", "In", ["1"])]),
    (f"{NAME63}={NAME63}", [(NAME63, "In", [NAME63])]),
    (f"{PREFIX253}/{NAME63}", [(f"{PREFIX253}/{NAME63}", "Exists", [])]),
]

REFUSED = [
    ",", "a,", ",a", "a,,b", "a, ,b", "a,b,", "a , ", "!", "!!a", "!a=b", "!a in (b)", "a!", "a!b", "! ",
    "a=b=c", "a===b", "a=!b", "a=b c", "a b", "a in", "a in b", "a in (", "a in (b", "a in b)", "a in ((b))",
    "a in (b) c", "a in (b)(c)", "a In (b)", "a NOTIN (b)", "a not in (b)", "(a)", "a in (b c)", "a in (!b)",
    "=b", "==", "=", ">5", "a>", "a>b", "a>-1", "a>+1", "a>1.5", "a>9223372036854775808", "a=>5", "a>=5",
    "-a", "a-", ".a", "a.", "_a", "a/", "/a", "a/b/c", "A/b", "a_b/c", "-a/b", "a..b/c", "a./b", "é", "a=é",
    "a=-b", "a=b-", "a=.b", "a=b/c", "a=b:c", "a='b'", 'a="b"', "a in (b,-c)",
    "a\u00a0", "\u2003a", "a=b\u00a0", "a\v", "a in (\u00a0)", "a>\u0663",
    NAME64, f"a={NAME64}", f"{PREFIX254}/a", f"a/{NAME64}",
]  # fmt: skip


@pytest.mark.parametrize(("text", "terms"), ACCEPTED)
def test_what_kubernetes_reads_is_read_the_same_way(
    text: str, terms: list[tuple[str, Any, list[str]]]
) -> None:
    expected = tuple(Requirement(key, operator, tuple(values)) for key, operator, values in terms)
    assert Selector.parse(text).requirements == expected


@pytest.mark.parametrize("text", REFUSED)
def test_what_kubernetes_refuses_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"label|needs one whole number"):
        Selector.parse(text)


def test_a_refusal_says_where() -> None:
    with pytest.raises(ValueError, match=r"not a label selector at 'c d' in 'a=b,c d'"):
        Selector.parse("a=b,c d")


LABELS = {"app": "web", "empty": "", "size": "10", "in": "in", "example.com/tier": "front", "big": "9" * 20}


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("", True),
        ("app", True),
        ("!app", False),
        ("none", False),
        ("!none", True),
        ("app=web", True),
        ("app=db", False),
        ("app!=web", False),
        ("app!=db", True),
        ("none=", False),
        ("none!=x", True),
        ("none!=", True),
        ("empty=", True),
        ("empty in ()", True),
        ("empty!=", False),
        ("app in (db,web)", True),
        ("app in (db)", False),
        ("app notin (db,web)", False),
        ("none notin (db)", True),
        ("none in (db,)", False),
        ("size>9", True),
        ("size>10", False),
        ("size<11", True),
        ("size<10", False),
        ("size>009", True),
        ("app>1", False),
        ("app<1", False),
        ("none>1", False),
        ("empty<1", False),
        ("big>1", False),  # more than 64 bits, so no number to Kubernetes
        ("in in (in)", True),
        ("example.com/tier=front", True),
        ("app=web,size>5,!none", True),
        ("app=web,size>50", False),
    ],
)
def test_labels_match_as_in_kubernetes(text: str, matches: bool) -> None:  # noqa: FBT001 - the table
    assert Selector.parse(text).matches(LABELS) is matches


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a in (c,b)", "a in (b,c)"),
        ("a in (b)", "a=b"),
        ("a == b", "a=b"),
        ("a notin (b)", "a!=b"),
        ("a in ()", "a="),
        ("a in (,b)", "a in (,b)"),
        (" ! a , b > 5, c < 6 ,d", "!a,b>5,c<6,d"),
        ("", ""),
    ],
)
def test_a_selector_is_written_as_a_server_reads_it(text: str, written: str) -> None:
    assert str(Selector.parse(text)) == written


def test_a_selector_of_labels_wants_them_all() -> None:
    selector = Selector.of({"app": "web", "example.com/tier": ""})
    assert str(selector) == "app=web,example.com/tier="
    assert selector.matches({"app": "web", "example.com/tier": "", "more": "x"})
    assert not selector.matches({"app": "web"})
    assert Selector.of({}).matches({})


@pytest.mark.parametrize("labels", [{"a b": "c"}, {"a": "b c"}, {"": ""}, {"a": NAME64}])
def test_a_selector_of_what_are_no_labels_is_refused(labels: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="is not a label"):
        Selector.of(labels)


@pytest.mark.parametrize(
    ("operator", "values", "message"),
    [
        ("In", (), "In needs at least one value"),
        ("NotIn", (), "NotIn needs at least one value"),
        ("Exists", ("a",), "Exists takes no values"),
        ("DoesNotExist", ("a",), "DoesNotExist takes no values"),
        ("Gt", (), "Gt needs one whole number"),
        ("Gt", ("1", "2"), "Gt needs one whole number"),
        ("Lt", ("x",), "Lt needs one whole number"),
    ],
)
def test_an_operator_has_the_values_that_it_needs(
    operator: Any, values: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^key: {message}"):
        Requirement("key", operator, values)


names = st.from_regex(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?", fullmatch=True)
prefixes = st.from_regex(
    r"[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?){0,2}", fullmatch=True
)
keys = names | st.builds("{}/{}".format, prefixes, names) | st.sampled_from(["in", "notin"])
values = st.just("") | names | st.sampled_from(["in", "notin"])
requirements = (
    st.builds(Requirement, keys, st.sampled_from(["Exists", "DoesNotExist"]))
    | st.builds(
        Requirement,
        keys,
        st.sampled_from(["In", "NotIn"]),
        st.lists(values, min_size=1, max_size=4, unique=True).map(lambda found: tuple(sorted(found))),
    )
    | st.builds(
        Requirement,
        keys,
        st.sampled_from(["Gt", "Lt"]),
        st.integers(0, 2**63 - 1).map(lambda number: (str(number),)),
    )
)
selectors = st.lists(requirements, max_size=4).map(lambda found: Selector(tuple(found)))
labels = st.dictionaries(keys, values, max_size=4)


@pytest.mark.property
@settings(deadline=None)
@given(selectors)
def test_what_is_written_is_read_back(selector: Selector) -> None:
    assert Selector.parse(str(selector)) == selector


@pytest.mark.property
@settings(deadline=None)
@given(labels)
def test_a_selector_of_labels_matches_them(wanted: dict[str, str]) -> None:
    selector = Selector.of(wanted)
    assert selector.matches(wanted)
    assert Selector.parse(str(selector)).matches(wanted)


@pytest.mark.property
@settings(deadline=None)
@given(requirements.filter(lambda term: term.operator in ("In", "NotIn", "Exists", "DoesNotExist")), labels)
def test_a_term_and_its_opposite_never_agree(term: Requirement, found: dict[str, str]) -> None:
    opposites: dict[str, Any] = {
        "In": "NotIn",
        "NotIn": "In",
        "Exists": "DoesNotExist",
        "DoesNotExist": "Exists",
    }
    opposite = Requirement(term.key, opposites[term.operator], term.values)
    assert term.matches(found) is not opposite.matches(found)


@pytest.mark.property
@settings(deadline=None)
@given(st.text(st.sampled_from("ab=!<>(), intok5"), max_size=14))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        selector = Selector.parse(text)
    except ValueError:
        return
    again = Selector.parse(str(selector))
    assert again.matches(LABELS) is selector.matches(LABELS)


def test_a_label_selector_joins_labels_and_expressions() -> None:
    wire = {
        "matchLabels": {"app": "web"},
        "matchExpressions": [
            {"key": "tier", "operator": "In", "values": ["a", "b"]},
            {"key": "old", "operator": "DoesNotExist"},
        ],
    }
    selector = LabelSelector.from_wire(wire)
    assert str(selector.selector()) == "app=web,tier in (a,b),!old"
    assert selector.matches({"app": "web", "tier": "b"})
    assert not selector.matches({"app": "web", "tier": "b", "old": ""})
    assert selector.to_wire() == wire


def test_an_empty_label_selector_selects_everything() -> None:
    assert LabelSelector().matches({})
    assert LabelSelector.from_wire({"matchLabels": None, "matchExpressions": None}).matches({"a": "b"})


@pytest.mark.parametrize("operator", ["Gt", "Lt", "in", "Equals", ""])
def test_a_label_selector_knows_four_operators(operator: str) -> None:
    selector = LabelSelector(
        match_expressions=[LabelSelectorRequirement(key="a", operator=operator, values=["1"])]
    )
    with pytest.raises(ValueError, match=f"^a: {operator!r} is none of In, NotIn, Exists, DoesNotExist"):
        selector.selector()
