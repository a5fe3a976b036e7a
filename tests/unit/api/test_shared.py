"""Objects of a list keep once what they have in common, and nobody can tell."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import Field, Json, ObjectMeta, Resource, Spec, Status, Untyped
from windlass.api.shared import extra, fields_set


class AppSpec(Spec):
    size: int = 0
    parts: list[str] = []


class AppStatus(Status):
    ready: bool = False


class App(Resource, group="example.com", version="v1"):
    spec: AppSpec = Field(default_factory=AppSpec)
    status: AppStatus = Field(default_factory=AppStatus)


class Closed(Resource, group="example.com", version="v1", extra="ignore"):
    pass


Write = Callable[[App], object]


def named(name: str, **labels: str) -> Json:
    """An object as it stands in a list."""
    return {"metadata": {"name": name, "namespace": "shop", "labels": labels}, "spec": {"size": 1}}


def observed(app: App) -> Any:
    """Everything that can be seen of an object without changing it."""
    dumped = app.model_dump(), app.model_dump(exclude_unset=True)
    seen = app.model_fields_set, app.metadata.model_fields_set, app.model_extra, app.metadata.model_extra
    return app.to_wire(), repr(app), dumped, deepcopy(seen), app.to_wire()


def test_objects_of_a_list_share_what_was_set_and_that_nothing_is_unknown() -> None:
    one, two, other = App.from_wire_list([named("a"), named("b"), named("c") | {"new": 1}])

    assert fields_set(one) is fields_set(two)
    assert extra(one) is extra(two)
    assert fields_set(one.metadata) is fields_set(two.metadata) is fields_set(other.metadata)
    assert (fields_set(other), extra(other)) == ({"metadata", "spec", "new"}, {"new": 1})


def test_objects_that_differ_by_turns_share_with_those_that_are_alike() -> None:
    bare: Json = {"metadata": {"name": "a"}}
    apps = App.from_wire_list([deepcopy(bare) if number % 2 else named("b") for number in range(6)])

    assert len({id(fields_set(app.metadata)) for app in apps}) == 2


def test_text_that_many_have_is_kept_once() -> None:
    one, two = App.from_wire_list([named("a", app="web" * 2, tier="x" * 3), named("b", app="web" * 2)])

    assert one.metadata.namespace is two.metadata.namespace
    assert one.metadata.labels["app"] is two.metadata.labels["app"]
    assert (one.metadata.labels, two.metadata.labels) == ({"app": "webweb", "tier": "xxx"}, {"app": "webweb"})


def test_what_is_read_of_one_object_is_its_own_from_then_on() -> None:
    one, two, three = App.from_wire_list([named("a"), named("b"), named("c")])

    assert one.model_fields_set is one.model_fields_set
    assert one.model_extra is one.model_extra
    assert type(one.model_fields_set) is set
    assert fields_set(two) is fields_set(three)


def test_writing_to_the_wire_and_comparing_leave_what_is_set_shared() -> None:
    one, two = App.from_wire_list([named("a"), named("a")])

    assert one == two
    assert one.to_wire() == two.to_wire()
    assert fields_set(one) is fields_set(two)
    assert fields_set(one.metadata) is fields_set(two.metadata)


def test_a_type_that_drops_what_it_does_not_know_has_no_dictionary_for_it() -> None:
    (closed,) = Closed.from_wire_list([{"metadata": {"name": "a"}, "new": 1}])

    assert closed.model_extra is None


def test_an_untyped_object_of_a_list_is_written_like_any_other() -> None:
    kind = Untyped.of(App.__kind__)
    one, two = kind.from_wire_list([{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}])

    one["spec"] = {"size": 3}

    assert one.to_wire()["spec"] == {"size": 3}
    assert "spec" not in two
    assert "spec" not in two.to_wire()


def test_an_object_that_is_not_made_yet_has_neither() -> None:
    unmade = App.__new__(App)

    with pytest.raises(AttributeError):
        _ = unmade.model_fields_set
    with pytest.raises(AttributeError):
        _ = unmade.model_extra


def _assign(app: App) -> None:
    app.status = AppStatus(ready=True)


def _assign_in_metadata(app: App) -> None:
    app.metadata.generate_name = "g"
    app.metadata.annotations = {"a": "b"}


def _change_defaults(app: App) -> None:
    app.metadata.annotations["a"] = "b"
    app.metadata.labels["new"] = "c"
    app.metadata.finalizers.append("f")
    app.status.ready = True


def _replace(app: App) -> None:
    app.metadata = ObjectMeta(name="z")
    app.spec.parts.append("p")


def _add_unknown(app: App) -> None:
    (app.model_extra or {})["unknown"] = 1
    if app.metadata.model_extra is not None:
        app.metadata.model_extra["unknown"] = {"a": 1}


def _change_what_is_set(app: App) -> None:
    app.model_fields_set.add("status")
    app.metadata.model_fields_set.clear()


def _set_again(app: App) -> None:
    object.__setattr__(app, "__pydantic_fields_set__", {"spec"})
    app.__pydantic_fields_set__.add("status")


def _write_to(clone: Callable[[App], App], write: Write) -> Write:
    def written(app: App) -> App:
        cloned = clone(app)
        write(cloned)
        return cloned

    return written


WRITES: list[Write] = [
    _assign,
    _assign_in_metadata,
    _change_defaults,
    _replace,
    _add_unknown,
    _change_what_is_set,
    _set_again,
    observed,
]
CLONES: list[Callable[[App], App]] = [
    copy,
    deepcopy,
    lambda app: pickle.loads(pickle.dumps(app)),  # noqa: S301 - our own
    lambda app: app.model_copy(update={"status": AppStatus(ready=True)}),
    lambda app: app.model_copy(update={"unknown": 2}, deep=True),
    App.model_validate,
    lambda app: App.model_construct(app.model_fields_set, **dict(app)),
    lambda app: App.from_wire(app.to_wire()),
]
writes = st.sampled_from(WRITES)
any_write = writes | st.builds(_write_to, st.sampled_from(CLONES), writes)
objects = st.fixed_dictionaries(
    {"metadata": st.fixed_dictionaries({"name": st.just("a")}, optional={"labels": st.just({"a": "b"})})},
    optional={"spec": st.just({"size": 1}), "new": st.just(1)},
)


@pytest.mark.property
@settings(deadline=None)
@given(
    st.lists(objects, min_size=1, max_size=4), st.lists(st.tuples(st.integers(0, 3), any_write), max_size=6)
)
def test_whatever_is_written_to_one_object_shows_in_no_other(
    given_: list[Json], steps: list[tuple[int, Write]]
) -> None:
    alone = [App.from_wire(deepcopy(each)) for each in given_]
    shared = App.from_wire_list(deepcopy(given_))

    for index, write in steps:
        made = [write(apps[index % len(apps)]) for apps in (alone, shared)]
        if isinstance(made[0], App) and isinstance(made[1], App):
            assert observed(made[0]) == observed(made[1])

    assert shared == alone
    assert [observed(app) for app in shared] == [observed(app) for app in alone]
