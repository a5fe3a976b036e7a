from typing import Annotated

from pydantic import create_model

from windlass.api import Field, Model, Spec
from windlass.schema import schema_of


class Described(Spec):
    """What a user wants.

    In several
      lines.
    """

    first_field: int = 0
    """The first field."""

    second: int = 0
    """
    The second field,
    in two lines.
    """
    third: int = Field(default=0, description="Said in the field")
    """Said below."""
    fourth: Annotated[int, Field(description="Said in the annotation")] = 0
    fifth: int = 0
    # A comment is no description.
    "A plain string is one."
    sixth: int = 0


def test_a_docstring_describes_the_type() -> None:
    assert schema_of(Described)["description"] == "What a user wants.\n\nIn several\n  lines."


def test_a_string_below_a_field_describes_it() -> None:
    properties = schema_of(Described)["properties"]
    assert {name: schema.get("description") for name, schema in properties.items()} == {
        "firstField": "The first field.",
        "second": "The second field,\nin two lines.",
        "third": "Said in the field",
        "fourth": "Said in the annotation",
        "fifth": "A plain string is one.",
        "sixth": None,
    }


class Child(Described):
    second: int = 5
    """The child's own."""
    seventh: int = 0


class Grandchild(Child):
    first_field: int = 7


def test_descriptions_of_fields_are_inherited_and_overridden() -> None:
    properties = schema_of(Grandchild)["properties"]
    assert properties["firstField"]["description"] == "The first field."
    assert properties["second"]["description"] == "The child's own."
    assert properties["third"]["description"] == "Said in the field"


def test_the_description_of_a_type_is_not_inherited() -> None:
    assert "description" not in schema_of(Child)


class Holder(Model):
    described: Described = Field(default_factory=Described)
    other: Described | None = None
    """Said at this use."""


def test_a_field_is_described_by_its_type_unless_it_says_more() -> None:
    properties = schema_of(Holder)["properties"]
    assert properties["described"]["description"].startswith("What a user wants.")
    assert properties["other"]["description"] == "Said at this use."


if True:

    class Indented(Model):
        """A class below an `if`."""

        text: str = """
unindented
"""
        """Described all the same."""


def test_a_class_may_be_indented_with_a_text_that_is_not() -> None:
    schema = schema_of(Indented)
    assert schema["description"] == "A class below an `if`."
    assert schema["properties"]["text"]["description"] == "Described all the same."


def test_a_class_inside_a_function_is_described() -> None:
    class Local(Model):
        """A local class."""

        field: int = 0
        """A local field."""

    schema = schema_of(Local)
    assert (schema["description"], schema["properties"]["field"]["description"]) == (
        "A local class.",
        "A local field.",
    )


def test_a_class_without_source_has_no_descriptions_below_fields() -> None:
    made = create_model("Made", __base__=Model, some_field=(int, 0))
    assert schema_of(made)["properties"] == {"someField": {"type": "integer", "default": 0}}
