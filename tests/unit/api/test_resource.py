from typing import Any

import pytest

from windlass.api import Definition, Field, Kind, Model, ObjectMeta, Resource, Spec, Untyped
from windlass.errors import UndecodableError
from windlass.kinds.core.v1 import Secret


class ShopSpec(Spec):
    image: str = ""


class Shop(Resource, group="demo.example.com", version="v1"):
    spec: ShopSpec = Field(default_factory=ShopSpec)


class Policy(Resource, version="v1", kind="SecurityPolicy", plural="secpols", namespaced=False):
    pass


def test_the_class_line_says_which_kind_it_is() -> None:
    assert Shop.__kind__ == Kind("demo.example.com", "v1", "Shop", "shops")
    assert Policy.__kind__ == Kind("", "v1", "SecurityPolicy", "secpols", namespaced=False)


def test_a_subclass_without_a_version_is_of_the_same_kind() -> None:
    class Special(Shop):
        pass

    assert Special.__kind__ is Shop.__kind__


def test_every_object_states_its_kind_first() -> None:
    shop = Shop(metadata=ObjectMeta(name="a"), spec=ShopSpec(image="x"))
    assert list(shop.to_wire().items()) == [
        ("apiVersion", "demo.example.com/v1"),
        ("kind", "Shop"),
        ("metadata", {"name": "a"}),
        ("spec", {"image": "x"}),
    ]
    assert Policy().to_wire() == {"apiVersion": "v1", "kind": "SecurityPolicy"}


@pytest.mark.parametrize(
    "wire",
    [
        {"apiVersion": "demo.example.com/v1", "kind": "Shop"},
        {},  # an item of a list states no kind
        {"apiVersion": None, "kind": None},
    ],
)
def test_an_object_of_this_kind_is_read(wire: dict[str, Any]) -> None:
    assert Shop.from_wire(wire).to_wire() == {"apiVersion": "demo.example.com/v1", "kind": "Shop"}


@pytest.mark.parametrize(
    "wire",
    [
        {"apiVersion": "demo.example.com/v1", "kind": "Shopping"},
        {"apiVersion": "demo.example.com/v2", "kind": "Shop"},
        {"apiVersion": "v1", "kind": "Shop"},
        {"apiVersion": "other.example.com/v1", "kind": "Shop"},
        {"kind": "Pod"},
    ],
)
def test_an_object_of_another_kind_is_refused(wire: dict[str, Any]) -> None:
    with pytest.raises(UndecodableError, match=r"is not a Shop\.demo\.example\.com/v1"):
        Shop.from_wire(wire)


def test_kind_and_version_cannot_be_changed() -> None:
    shop = Shop()
    with pytest.raises(AttributeError):
        shop.kind = "Pod"  # type: ignore[misc] # that is the point
    assert (shop.kind, shop.api_version) == ("Shop", "demo.example.com/v1")


@pytest.mark.parametrize(
    ("metadata", "text"),
    [
        (ObjectMeta(name="a"), "Shop a"),
        (ObjectMeta(name="a", namespace="n"), "Shop n/a"),
        (ObjectMeta(generate_name="a-", namespace="n"), "Shop n/a-*"),
    ],
)
def test_an_object_names_itself_in_messages(metadata: ObjectMeta, text: str) -> None:
    assert str(Shop(metadata=metadata)) == text


def test_an_owner_reference_points_at_the_object() -> None:
    shop = Shop(metadata=ObjectMeta(name="a", uid="1-2"))
    reference = {"apiVersion": "demo.example.com/v1", "kind": "Shop", "name": "a", "uid": "1-2"}
    assert shop.owner_reference().to_wire() == reference | {"controller": True, "blockOwnerDeletion": True}
    assert shop.owner_reference(controller=False).to_wire() == reference | {
        "controller": False,
        "blockOwnerDeletion": False,
    }


class Bundle(Model):
    member: Shop
    members: list[Untyped] = []


def test_an_object_inside_another_keeps_its_kind() -> None:
    wire = {"member": {"apiVersion": "demo.example.com/v1", "kind": "Shop", "metadata": {"name": "a"}}}
    assert Bundle.from_wire(wire).to_wire() == wire


def test_a_further_version_inherits_group_plural_and_scope_but_not_storage() -> None:
    class Box(
        Resource,
        group="demo.example.com",
        version="v1",
        plural="boxen",
        namespaced=False,
        definition=Definition(storage=True, short_names=("bx",)),
    ):
        pass

    class Newer(Box, version="v2", kind="Box"):
        pass

    assert Newer.__kind__ == Kind("demo.example.com", "v2", "Box", "boxen", namespaced=False)
    assert Newer.__definition__ == Definition(short_names=("bx",))


def test_a_group_needs_a_version() -> None:
    with pytest.raises(TypeError, match="Half has a group but no version"):

        class Half(Resource, group="demo.example.com"):
            pass


def test_a_secret_shows_the_names_of_its_values_only() -> None:
    secret = Secret(data={"password": b"hunter2"}, string_data={"user": "admin"})
    assert "hunter2" not in repr(secret)
    assert "admin" not in repr(secret)
    assert "password" in repr(secret)
