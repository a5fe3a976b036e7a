"""The branches of a chart: values and capabilities under which it renders one thing or another."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.api import read_yaml
from windlass.errors import ChartError, ConfigError
from windlass.helm.mentions import api_versions, decisions, required, templates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from windlass.api import Json

    Place = tuple[str, ...]
    Setting = tuple[Place, Any]

_ABSENT: Final[Any] = object()
FILLER: Final = "example"
"""What stands for a text that the chart needs and does not have."""
_OTHER_FILLER: Final = "another"  # as long, for charts that limit it
_FILLINGS: Final[tuple[tuple[Any, tuple[Any, ...]], ...]] = (
    ([], ([{"name": FILLER}], [FILLER])),
    ({}, ({FILLER: FILLER},)),
    ("", (FILLER,)),
    (0, (1,)),
)


@dataclass(frozen=True)
class Variant:
    """One way to render a chart; `name` says for people what is special about it."""

    name: str
    settings: tuple[Setting, ...] = ()
    served: frozenset[str] = frozenset()
    is_upgrade: bool = False

    @property
    def values(self) -> Json:
        """The values that differ from the chart's own."""
        return _values(self.settings)

    def over(self, base: Variant) -> Variant:
        """Return this variant with the settings of another one, without which nothing renders."""
        taken = [place for place, _ in base.settings]
        left = tuple(each for each in self.settings if each[0] not in taken)
        return replace(self, name=f"{self.name}, {base.name}", settings=(*base.settings, *left))

    def without(self, others: Iterable[Variant]) -> Variant:
        """The variant without what is special about others, each of which failed."""
        failing = [setting for other in others for setting in other.settings]
        left = tuple(each for each in self.settings if each not in failing)
        return replace(self, name=f"{self.name}, but for what fails alone", settings=left)

    def equals(self, other: Variant) -> bool:
        """Whether it renders the same, under whichever name."""
        return replace(self, name=other.name, settings=()) == replace(other, settings=()) and (
            self.values == other.values
        )


def variants(files: Mapping[str, str], given: Json | None = None) -> list[Variant]:
    """The ways to render a chart that together reach most of it, the most telling ones first.

    They are: as it is; with everything switched on, or off; with each switch turned, each choice made and
    each empty value filled, one by one, where all that the chart asks for is served. None of them changes a
    value that is `given`.

    Raises:
        ChartError: its values cannot be read.
    """
    given = given or {}
    places = _places(files)
    defaults = merged(_defaults(files, places), given)
    switches = [each for each in _switches(defaults, ()) if not _is_given(given, each[0])]
    choices, fillings = (
        [each for each in found if not _is_given(given, each[0])]
        for found in _decisions(files, places, defaults)
    )
    served = frozenset(each for _, text in templates(files) for each in api_versions(text))
    on, off = ([(place, state) for place, _ in switches] for state in (True, False))
    found = [
        Variant("as it is"),
        Variant("everything on", (*fillings, *on), served),
        Variant("every switch on", tuple(on), served),
        Variant("every switch off", tuple(off), served),
        Variant("an upgrade", is_upgrade=True),
        *([Variant("all APIs served", (), served)] if served else []),
    ]
    turned = [(place, not state) for place, state in switches]
    found += [_one(setting, served) for setting in (*turned, *choices, *fillings)]
    return [each for index, each in enumerate(found) if not any(map(each.equals, found[:index]))]


def required_values(files: Mapping[str, str]) -> Json:
    """Something for all values that the templates require and the chart does not have.

    Raises:
        ChartError: its values cannot be read.
    """
    places = _places(files)
    defaults = _defaults(files, places)
    wanted = [
        (*place, *path)
        for folder, text in templates(files)
        for path in required(text)
        for place in places.get(folder, [])
    ]
    return _values([(place, value) for place in wanted for value in _fillings(_at(defaults, place))])


def default_values(files: Mapping[str, str]) -> Json:
    """The values of a chart and of its subcharts as one.

    Raises:
        ChartError: they cannot be read.
    """
    return _defaults(files, _places(files))


def refilled(values: Any) -> Any:
    """The values with another filler, to see what follows from it."""
    if isinstance(values, dict):
        return {refilled(key): refilled(value) for key, value in values.items()}
    if isinstance(values, list):
        return [refilled(each) for each in values]
    return _OTHER_FILLER if values == FILLER else values


def filled_places(values: Json) -> list[str]:
    """Where values have the filler, as paths for `helm --set`."""
    found = []
    for name, value in values.items():
        if isinstance(value, dict):
            found += [f"{name}.{each}" for each in filled_places(value)]
        elif value == FILLER:
            found.append(name)
    return found


def _one(setting: Setting, served: frozenset[str]) -> Variant:
    place, value = setting
    return Variant(f"{'.'.join(place)}={value}", (setting,), served)


def _places(files: Mapping[str, str]) -> dict[str, list[Place]]:
    """Where the values of each chart lie within those of the whole, by the folder of the chart.

    A subchart can be used several times, under other names.
    """
    found: dict[str, list[Place]] = {"": [()]}
    folders = sorted(name.removesuffix("Chart.yaml") for name in files if name.endswith("/Chart.yaml"))
    for folder in folders:  # parents come before what is in them
        parent = folder.rpartition("charts/")[0]
        name = str(_document(files, f"{folder}Chart.yaml").get("name") or "")
        listed = _document(files, f"{parent}Chart.yaml").get("dependencies")
        uses = [each for each in listed or () if isinstance(each, dict) and each.get("name") == name]
        names = [str(each.get("alias") or name) for each in uses] or [name]
        found[folder] = [(*place, each) for place in found.get(parent, []) for each in names]
    return found


def _defaults(files: Mapping[str, str], places: Mapping[str, list[Place]]) -> Json:
    """The values of the chart and of its subcharts as one; those of the parent count."""
    whole: Json = {}
    for folder, found in sorted(places.items(), reverse=True):
        values = _document(files, f"{folder}values.yaml")
        for place in found:
            whole = merged(whole, _values([(place, values)]) if place else values)
    return whole


def _document(files: Mapping[str, str], name: str) -> Json:
    if name not in files:
        return {}
    try:
        found = read_yaml(files[name], f"the chart's {name}")
    except ConfigError as error:
        raise ChartError(str(error)) from error
    return found[0] if found and isinstance(found[0], dict) else {}


def _switches(values: Json, place: Place) -> Iterator[tuple[Place, bool]]:
    for name, value in values.items():
        if isinstance(value, bool):
            yield (*place, name), value
        elif isinstance(value, dict):
            yield from _switches(value, (*place, name))


def _decisions(
    files: Mapping[str, str], places: Mapping[str, list[Place]], defaults: Json
) -> tuple[list[Setting], list[Setting]]:
    """The texts that templates compare values with, and something for those that they test and are empty."""
    choices: dict[tuple[Place, str], None] = {}
    tested: dict[Place, None] = {}
    for folder, text in templates(files):
        for test in decisions(text):
            for place in places.get(folder, []):
                whole = (*place, *test.path)
                if test.text and _at(defaults, whole) != test.text:
                    choices[whole, test.text] = None
                elif not test.text:
                    tested[whole] = None
    fillings = [(place, value) for place in tested for value in _fillings(_at(defaults, place))]
    return list(choices), fillings


def _fillings(value: Any) -> Iterable[Any]:
    if value is None or value is _ABSENT:
        return (FILLER,)
    return next((found for empty, found in _FILLINGS if type(empty) is type(value) and empty == value), ())


def _is_given(given: Json, place: Place) -> bool:
    """Whether values decide what is at a place; a map at it leaves open what else is in it."""
    found: Any = given
    for name in place:
        if not isinstance(found, dict):
            return True
        if name not in found:
            return False
        found = found[name]
    return not isinstance(found, dict)


def _at(values: Any, place: Place) -> Any:
    for name in place:
        values = values.get(name, _ABSENT) if isinstance(values, dict) else _ABSENT
    return values


def _values(settings: Iterable[Setting]) -> Json:
    """Values with these settings; of several for one place, the first counts, and what is inside of it."""
    whole: Json = {}
    for place, value in sorted(settings, key=lambda setting: -len(setting[0])):
        inside = whole
        for name in place[:-1]:
            inside = inside.setdefault(name, {})
        inside.setdefault(place[-1], deepcopy(value))
    return whole


def merged(low: Json, high: Json) -> Json:
    """Values over other values: maps are merged, anything else is replaced."""
    whole = {**low, **high}
    for name in low.keys() & high.keys():
        if isinstance(low[name], dict) and isinstance(high[name], dict):
            whole[name] = merged(low[name], high[name])
    return whole
