"""References between modules that are loaded at first use; each case starts from a cold process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

FIRST = """
from windlass.api import Model, Resource, Spec
__lazy__ = {"Engine": "garage_second", "Wheel": "garage_second"}

class CarSpec(Spec):
    engine: "Engine"
    wheels: "list[Wheel]" = []
    spare: "Wheel | None" = None

class Car(Resource, group="demo.example.com", version="v1"):
    spec: CarSpec
"""
SECOND = """
from windlass.api import Model
__lazy__ = {"CarSpec": "garage_first", "Fuel": "garage_third"}

class Wheel(Model):
    rim_size: int

class Engine(Model):
    fuel_kind: "Fuel"
    tows: "list[CarSpec]" = []
"""
THIRD = """
from windlass.api import Model

class Fuel(Model):
    octane_number: int = 95
"""
USER = """
from windlass.api import Model, Resource, Spec
from garage_first import Car, CarSpec
from garage_second import Engine

class FleetSpec(Spec):
    template: CarSpec
    engines: dict[str, Engine] = {}

class Fleet(Resource, group="demo.example.com", version="v1"):
    spec: FleetSpec

class Truck(Car, group="demo.example.com", version="v1"):
    load: int = 0
"""
WIRE = "{'spec': {'engine': {'fuelKind': {'octaneNumber': 98}}, 'wheels': [{'rimSize': 17}]}}"
FLEET = f"{{'spec': {{'template': {WIRE}['spec'], 'engines': {{'a': {WIRE}['spec']['engine']}}}}}}"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    for name, text in (("first", FIRST), ("second", SECOND), ("third", THIRD), ("user", USER)):
        (tmp_path / f"garage_{name}.py").write_text(text)
    return Run(tmp_path)


class Run:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *lines: str) -> None:
        """Run these lines in a new process; an error there is an error here."""
        program = "\n".join(("import sys", *lines))
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=50,
        )
        assert done.returncode == 0, done.stderr


def test_importing_a_module_does_not_load_what_it_refers_to_lazily(run: Run) -> None:
    run(
        "from garage_first import Car",
        "assert 'garage_second' not in sys.modules and 'garage_third' not in sys.modules",
    )


USES = {
    "validation": f"assert Car.model_validate({WIRE}).spec.engine.fuel_kind.octane_number == 98",
    "from_wire": f"assert Car.from_wire({WIRE}).spec.wheels[0].rim_size == 17",
    "from_wire of a faulty object": "assert Car.from_wire({}).spec.engine.fuel_kind.octane_number == 95",
    "construction from plain data": f"Car(**{WIRE})",
    "construction of a part": (
        "from garage_first import CarSpec\n"
        "from garage_second import Engine, Wheel\n"
        "from garage_third import Fuel\n"
        "CarSpec(engine=Engine(fuel_kind=Fuel()), wheels=[Wheel(rim_size=1)])"
    ),
    "to_wire": f"wire = Car.from_wire({WIRE}).to_wire(); assert wire['spec'] == {WIRE}['spec'], wire",
    "schema": (
        "from windlass.schema import structural\n"
        "spec = structural(Car)['properties']['spec']['properties']\n"
        "assert spec['spare'] == {'type': 'object', 'properties': {'rimSize': {'type': 'integer'}},"
        " 'required': ['rimSize']}, spec"
    ),
    "an unset copy": "from garage_first import CarSpec; assert CarSpec.model_construct().to_wire() == {}",
}


@pytest.mark.parametrize("use", [use for use in USES if use != "schema"])
def test_each_use_works_from_a_cold_start(run: Run, use: str) -> None:
    run("from garage_first import Car", USES[use], "assert 'garage_third' in sys.modules")


def test_a_schema_is_derived_from_a_cold_start(run: Run) -> None:
    # a car tows cars, which no structural schema can say
    (run.folder / "garage_second.py").write_text(SECOND.replace('    tows: "list[CarSpec]" = []\n', ""))
    run("from garage_first import Car", USES["schema"])


@pytest.mark.parametrize("first", ["validation", "from_wire", "construction of a part", "to_wire"])
def test_the_uses_work_in_any_order(run: Run, first: str) -> None:
    rest = [text for use, text in USES.items() if use not in (first, "schema")]
    run("from garage_first import Car", USES[first], *rest)
    run("from garage_first import Car", *reversed(rest), USES[first])


def test_a_part_that_is_used_before_the_whole_works(run: Run) -> None:
    run(
        "from garage_second import Engine",
        "assert Engine.from_wire({'tows': [{'wheels': [{}]}]}).tows[0].wheels[0].rim_size == 0",
        "from garage_first import Car",
        USES["from_wire"],
    )


def test_a_type_of_another_module_may_contain_one_with_lazy_references(run: Run) -> None:
    run(
        "from garage_user import Fleet",
        "assert 'garage_third' not in sys.modules",
        f"fleet = Fleet.from_wire({FLEET})",
        "assert fleet.spec.template.wheels[0].rim_size == 17",
        f"assert fleet.to_wire()['spec'] == {FLEET}['spec']",
    )


def test_a_subclass_in_another_module_finds_what_its_base_refers_to(run: Run) -> None:
    run(
        "from garage_user import Truck",
        f"truck = Truck.from_wire({WIRE})",
        f"assert truck.to_wire()['spec'] == {WIRE}['spec']",
    )


def test_a_missing_module_is_named_at_first_use(run: Run) -> None:
    (run.folder / "garage_third.py").unlink()
    run(
        "from garage_first import Car",
        "try:",
        f"    Car.from_wire({WIRE})",
        "except ModuleNotFoundError as error:",
        "    assert error.name == 'garage_third'",
        "else:",
        "    raise SystemExit('not refused')",
    )


@pytest.mark.parametrize("field", ["template: PodTemplateSpec", "pods: list[PodTemplateSpec]"])
def test_a_kind_of_our_own_may_contain_a_built_in_part(run: Run, field: str) -> None:
    (run.folder / "mine.py").write_text(
        "from windlass.api import Resource, Spec\n"
        "from windlass.kinds.core.v1 import PodTemplateSpec\n"
        f"class MineSpec(Spec):\n    {field}\n"
        "class Mine(Resource, group='demo.example.com', version='v1'):\n    spec: MineSpec\n"
    )
    pod = "{'spec': {'containers': [{'name': 'a', 'resources': {'limits': {'cpu': '1'}}}]}}"
    name = field.partition(":")[0]
    value = f"[{pod}]" if "list" in field else pod
    run(
        "from mine import Mine",
        f"wire = {{'spec': {{'{name}': {value}}}}}",
        "assert Mine.from_wire(wire).to_wire()['spec'] == wire['spec']",
    )
