"""A chart that renders anew each time does not churn what is deployed."""

from __future__ import annotations

from base64 import b64decode, b64encode
from copy import deepcopy
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.helm.gap import WHOLE, gaps, replacer
from windlass.helm.manifest import identity
from windlass.helm.path import ABSENT, value_at
from windlass.helm.stable import hold, unstable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def secret(name: str = "web", **data: str) -> Json:
    content = {key: encoded(text) for key, text in data.items()}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "data": content}


def config(text: Any, name: str = "web") -> Json:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"conf": text}}


def workload(checksum: str, kind: str = "Deployment", **spec: Any) -> Json:
    template = {"metadata": {"annotations": {"checksum": checksum}}}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "web"},
        "spec": {**spec, "template": template},
    }


def held(renders: Iterable[list[Json]], deployed: list[Json]) -> list[Json]:
    first, second, third = renders
    given = deepcopy((third, deployed))
    found = hold(third, deployed, unstable(first, second))
    assert (third, deployed) == given, "what is given is not changed"
    return found


def text_of(obj: Json) -> str:
    return b64decode(obj["data"]["conf"]).decode() if obj["kind"] == "Secret" else str(obj["data"]["conf"])


def test_a_chart_that_renders_the_same_is_stable() -> None:
    known = unstable([secret(a="x")], [secret(a="x")])

    assert not known
    assert known.told() == []
    assert hold([secret(a="y")], [secret(a="x")], known) == [secret(a="y")]


def test_a_password_stays_what_it_is_and_what_is_stable_changes() -> None:
    made = ([secret(password=password, user="new")] for password in ("one", "two", "three"))

    found = held(made, [secret(password="mine", user="old")])

    assert found == [secret(password="mine", user="new")]


def test_what_is_unstable_is_told() -> None:
    known = unstable([secret(a="x"), config("a", "b-1")], [secret(a="y"), config("b", "b-2")])

    assert known.told() == [
        "ConfigMap: a name",
        "ConfigMap: .metadata.name",
        "ConfigMap: .data.conf",
        "Secret web: .data.a",
    ]


def test_a_password_that_is_new_in_the_chart_is_taken_as_rendered() -> None:
    found = held(([secret(a=text)] for text in "123"), [secret(b="mine")])

    assert found == [secret(a="3")]


@pytest.mark.parametrize("make", [config, lambda text: secret(conf=text)])
def test_a_line_of_a_configuration_is_held_and_the_others_change(make: Any) -> None:
    rendered = [
        make(f"port: 81\npassword: {one}!\nuser: me\n# 2026-11-15T19:0{at}:00Z")
        for at, one in enumerate("abc")
    ]
    deployed = make("port: 80\npassword: z!\n# 2019-01-02T03:04:05Z")

    found = held(([each] for each in rendered), [deployed])

    assert text_of(found[0]) == "port: 81\npassword: z!\nuser: me\n# 2019-01-02T03:04:05Z"


def test_a_certificate_is_never_put_together_from_two() -> None:
    rendered = [config(f"-----BEGIN-----\nMII{x}xx\n{x}/yy\n-----END-----") for x in "abc"]
    deployed = config("-----BEGIN-----\nMIIzz\nz/z\n-----END-----")

    assert held(([each] for each in rendered), [deployed]) == [deployed]


def test_a_password_inside_of_a_changed_address_is_the_one_that_is_held() -> None:
    def rendered(password: str, host: str) -> list[Json]:
        return [config(f"db://me:{password}@{host}/x", "url"), secret(password=password)]

    made = [rendered(password, "new") for password in ("aaaaaaaa", "bbbbbbbb", "cccccccc")]

    assert held(made, rendered("minemine", "old")) == rendered("minemine", "new")


def test_an_object_with_another_name_in_the_chart_has_the_password_that_is_held() -> None:
    def rendered(password: str, name: str) -> list[Json]:
        return [config(f"db://me:{password}@host", name), secret(password=password)]

    made = [rendered(password, "new") for password in ("aaaaaaaa", "bbbbbbbb", "cccccccc")]

    assert held(made, rendered("minemine", "old")) == rendered("minemine", "new")


def test_a_line_that_could_be_either_of_two_is_taken_as_rendered() -> None:
    made = [[config(f"a: 1\nkey: {chance}")] for chance in "abc"]

    assert held(made, [config("key: y\nkey: z")]) == made[2]


@pytest.mark.parametrize("value", [1, True, None, ["x"], {"x": "y"}])
def test_a_value_of_any_type_is_held(value: Any) -> None:
    assert held([[config(1)], [config("2")], [config("3")]], [config(value)]) == [config(value)]


def test_items_of_a_list_are_found_by_their_names() -> None:
    def rendered(value: str, *more: str) -> list[Json]:
        return [config([*({"name": name, "value": "x"} for name in more), {"name": "key", "value": value}])]

    made = [rendered(value, "new") for value in "123"]

    assert held(made, rendered("mine", "two", "others")) == rendered("mine", "new")


def test_items_without_names_are_found_by_their_place() -> None:
    made = ([config(["b", number])] for number in range(3))

    assert held(made, [config(["a", 9])]) == [config(["b", 9])]


@pytest.mark.parametrize("values", [(["a"], ["b", "c"], []), ({"k1": 1}, {"k2": 1}, {"k3": 1})])
def test_a_list_that_grows_and_a_map_with_other_keys_are_held_whole(values: Any) -> None:
    made = ([config(value)] for value in values)

    assert held(made, [config("mine")]) == [config("mine")]


def test_an_object_with_a_name_by_chance_keeps_its_name_and_its_content() -> None:
    def rendered(chance: str, **data: str) -> list[Json]:
        return [config("stable"), secret(f"web-{chance}", password=chance, **data)]

    made = [rendered(chance, user="new") for chance in "abc"]

    assert held(made, rendered("mine", user="old")) == rendered("mine", user="new")


def test_of_several_names_by_chance_none_is_guessed() -> None:
    made = [[config("x", f"one-{chance}"), config("x", f"two-{chance}")] for chance in "abc"]

    assert held(made, [config("x", "one-z"), config("x", "two-z")]) == made[2]


def test_an_object_that_was_replaced_in_the_chart_is_not_taken_for_its_forerunner() -> None:
    made = [[secret(a=chance), config("x", "new")] for chance in "abc"]

    assert held(made, [secret(a="z"), config("x", "old")]) == [secret(a="z"), config("x", "new")]


def test_a_checksum_restarts_pods_when_something_changes() -> None:
    made = [[workload(chance, replicas=3)] for chance in "abc"]

    assert held(made, [workload("z", replicas=1)]) == [workload("c", replicas=3)]


def test_a_checksum_by_chance_alone_restarts_no_pods() -> None:
    made = [[workload(chance), secret(a=chance)] for chance in "abc"]
    deployed = [secret(a="z"), workload("z")]

    assert held(made, deployed) == [workload("z"), secret(a="z")]


def test_the_template_of_a_job_is_held_since_it_cannot_change() -> None:
    made = [[workload(chance, "Job", parallelism=3)] for chance in "abc"]

    assert held(made, [workload("z", "Job", parallelism=1)]) == [workload("z", "Job", parallelism=3)]


def test_hooks_are_let_through_and_confuse_nobody() -> None:
    def rendered(chance: str) -> list[Json]:
        hook = config(chance, f"hook-{chance}")
        hook["metadata"]["annotations"] = {"helm.sh/hook": "pre-upgrade"}
        return [hook, config("x", f"web-{chance}")]

    found = held(map(rendered, "abc"), [config("x", "web-z")])

    assert found == [rendered("c")[0], config("x", "web-z")]


def test_items_of_a_list_object_are_held_where_they_are() -> None:
    listed: Json = {"apiVersion": "v1", "kind": "List", "items": [secret(a="3"), config("x")]}

    found = held([[secret(a="1")], [secret(a="2")], [listed]], [secret(a="z")])

    assert found == [{**listed, "items": [secret(a="z"), config("x")]}]


leaves = st.booleans() | st.integers(0, 3) | st.text("ab: =\n", max_size=12)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "name"]), inner, max_size=3)
    ),
    max_leaves=10,
)
manifests = st.dictionaries(st.sampled_from(["x", "y", "z"]), values, max_size=3).map(
    lambda found: [config(value, name) for name, value in found.items()]
)


@pytest.mark.property
@given(manifests, manifests, manifests)
def test_what_is_deployed_is_held_as_it_is(
    first: list[Json], second: list[Json], deployed: list[Json]
) -> None:
    assert hold(deployed, deployed, unstable(first, second)) == deployed


@pytest.mark.property
@given(manifests, manifests, manifests)
def test_after_holding_no_unstable_field_differs_from_what_is_deployed(
    first: list[Json], second: list[Json], deployed: list[Json]
) -> None:
    known = unstable(first, second)
    before = {identity(each): each for each in deployed}

    for obj in hold(second, deployed, known):
        old = before.get(identity(obj), {})
        for path, parts in known.paths.get(identity(obj), {}).items():
            if parts == WHOLE and ABSENT not in (value_at(obj, path), value_at(old, path)):
                assert value_at(obj, path) == value_at(old, path)


@pytest.mark.property
@given(manifests, manifests, manifests)
def test_holding_again_changes_nothing(first: list[Json], second: list[Json], deployed: list[Json]) -> None:
    known = unstable(first, second)
    once = hold(second, deployed, known)

    assert hold(once, deployed, known) == once


def test_many_values_are_replaced_at_once_the_longest_first() -> None:
    replace = replacer({"secret-1": "one", "secret-12": "twelve", "short": "no"})

    assert replace("a secret-12 and secret-1, short") == "a twelve and one, short"
    began = process_time()
    assert replacer({f"value{at:06}": "x" for at in range(20_000)})("value-000000 " * 20_000)
    assert process_time() - began < 5


def test_a_text_with_many_gaps_is_one_gap() -> None:
    one, two = ("\n".join(f"k{at}: {side}-{at}" for at in range(2000)) for side in ("red", "blue"))

    assert gaps(one, two) == WHOLE
