"""All that is generated for one operator, as files below its `config` folder."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windlass.api import Resource, Untyped
from windlass.codegen.crd import (
    check_conversion,
    crd_file,
    custom_resource_definitions,
    definition_of,
    has_status,
)
from windlass.codegen.files import header, yaml_file
from windlass.codegen.grant import events_in_default, operator_rules
from windlass.codegen.operator import check_operator_name, load_operator
from windlass.codegen.rbac import (
    bindings,
    leader_election_role,
    limited_roles,
    manager_roles,
    rules_of,
    user_roles,
)
from windlass.codegen.sample import sample, sample_file
from windlass.errors import ConfigError, SchemaError
from windlass.reconcile import Owns, Rule, is_of_objects
from windlass.schema import is_foreign

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import ModuleType

    from windlass.api import Json
    from windlass.codegen.operator import Operator
    from windlass.manager import Companion
    from windlass.reconcile import Reconciles


@dataclass(frozen=True, kw_only=True)
class Project:
    """An operator as the generator sees it: its name, its kinds, and what it may do.

    With `reconcilers` that is what they declare, and nothing more; kinds that none of them declares may be
    written as a whole. `companions` run beside them, and have rules of their own. `rules` are said by the
    operator itself, and so are `written_samples`, by file.
    `conversions` are the `spec.conversion` of definitions, by their names; `annotations` stand on definitions
    that have one. `module` is what `windlass run` is given, empty where there is nothing to run; `summary` is
    the first line that it says of itself. `watch_namespaces` are the only ones that the operator watches, and
    gets roles in; none means all. `written_definitions` stand in place of those that follow from the kinds.
    An operator that `runs_watches` has no module: its image runs a `watches.yaml`, and takes flags alone.
    `without_rules` are kinds of which it is not known what serving them takes, so that `rules` lack it.
    """

    operator: str
    kinds: tuple[type[Resource], ...]
    rules: tuple[Rule, ...] = ()
    namespace: str = ""
    reconcilers: tuple[Reconciles, ...] = ()
    companions: tuple[Companion, ...] = ()
    conversions: Mapping[str, Json] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    module: str = ""
    summary: str = ""
    written_samples: Mapping[str, str] = field(default_factory=dict)
    written_definitions: tuple[Json, ...] = ()
    runs_watches: bool = False
    watch_namespaces: tuple[str, ...] = ()
    without_rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the name.

        Raises:
            ConfigError: it cannot be the name of an operator.
        """
        check_operator_name(self.operator)

    @property
    def arguments(self) -> tuple[str, ...]:
        """What its image is given before any flags, so that it runs the operator.

        Raises:
            ConfigError: there is nothing to run.
        """
        if not self.runs:
            raise ConfigError(
                "there is nothing to run: name the module of `add_to(manager)` or of reconcilers"
            )
        name = f"--name={self.operator}"
        return (name,) if self.runs_watches else ("run", self.module, name)

    @property
    def served(self) -> tuple[str, ...]:
        """The own kinds that the operator reconciles, as `Shop.demo.example.com`.

        If it is not known which it reconciles, these are all of its kinds.
        """
        own = {_named(kind) for kind in self.kinds}
        reconciled = {_named(each.of) for each in filter(is_of_objects, self.reconcilers)}
        return tuple(sorted(own & reconciled or own))

    @property
    def runs(self) -> bool:
        """Whether there is something to run."""
        return bool(self.module) or self.runs_watches

    @property
    def runs_helm(self) -> bool:
        """Whether the operator runs `helm` processes beside its own, which need memory too."""
        return any("helm" in each.programs for each in self.reconcilers)

    @property
    def place(self) -> str:
        """The namespace that the operator runs in."""
        return self.namespace or f"{self.operator}-system"

    def crds(self) -> dict[str, str]:
        """The custom resource definitions.

        Raises:
            SchemaError: one serves versions that nothing converts.
        """
        definitions = self.written_definitions or custom_resource_definitions(self.kinds)
        made = [self._converted(each) for each in definitions]
        for each in made:
            check_conversion(each)
        return {f"crd/bases/{crd_file(each)}": self.text("crds", each) for each in made}

    def rbac(self) -> dict[str, str]:
        """The roles: the manager's, leader election's, and those to give to people."""
        roles = self.roles()
        account, *bound = bindings(self.operator, self.place, roles)
        files = {
            "role.yaml": self.text("rbac", *roles),
            "leader_election_role.yaml": self.text("rbac", leader_election_role(self.operator, self.place)),
            "service_account.yaml": self.text("rbac", account),
            "role_binding.yaml": self.text("rbac", *bound),
        }
        for kind in sorted(self.kinds, key=has_status):  # of several versions, one with a status tells more
            people = user_roles(self.operator, kind, self._short_name(kind))
            files |= {name: self.text("rbac", role) for name, role in people.items()}
        return {f"rbac/{name}": text for name, text in files.items()}

    def roles(self) -> list[Json]:
        """The roles of the operator's process."""
        companions = [rule for each in self.companions for rule in each.rules]
        rules = [*self._own_rules(), *companions, *self.rules]
        if not self.watch_namespaces:
            return manager_roles(self.operator, rules)
        rules += events_in_default(self.reconcilers)
        return limited_roles(self.operator, rules, self.watch_namespaces)

    def finalizers(self) -> dict[type[Resource], tuple[str, ...]]:
        """The finalizers that the operator removes, by kind; none where it is not known which those are."""
        named: dict[tuple[str, str], tuple[str, ...]] = {}
        kinds = {(kind.__kind__.group, kind.__kind__.name): kind for kind in self.kinds}
        for each in filter(is_of_objects, self.reconcilers):
            key = each.of.__kind__.group, each.of.__kind__.name
            names = (each.finalizer, *each.old_finalizers) if each.finalizes() else ()
            named[key] = (*named.get(key, ()), *names)
            kinds[key] = each.of
        return {kind: named.get(key, ()) for key, kind in kinds.items() if named.get(key, ("unknown",))}

    def samples(self) -> dict[str, str]:
        """The operator's own samples; without any, an object of each kind in each version that is served.

        Kinds of which no sample can be derived are left out; `without_sample` has them.
        """
        if self.written_samples:
            head = header("samples", self.operator)
            return {f"samples/{name}": head + text for name, text in self.written_samples.items()}
        derived, _ = self._derived_samples
        files = Counter(map(sample_file, derived))
        groups = {kind: kind.__kind__.group if files[sample_file(kind)] > 1 else "" for kind in derived}
        return {
            f"samples/{sample_file(kind, groups[kind])}": self.text("samples", made)
            for kind, made in derived.items()
        }

    @property
    def without_sample(self) -> tuple[str, ...]:
        """The reasons why no sample of a kind can be derived."""
        return () if self.written_samples else self._derived_samples[1]

    @cached_property
    def _derived_samples(self) -> tuple[Mapping[type[Resource], Json], tuple[str, ...]]:
        """A sample of each kind in each served version, and the faults of those that have none."""
        derived, faults = {}, []
        for kind in self.kinds:
            if definition_of(kind).served:
                try:
                    derived[kind] = sample(kind)
                except SchemaError as error:
                    faults.append(str(error))
        return derived, tuple(faults)

    def _converted(self, definition: Json) -> Json:
        clause = self.conversions.get(definition["metadata"]["name"])
        if clause is None:
            return definition
        metadata = definition["metadata"]
        if self.annotations:
            metadata = metadata | {"annotations": {**metadata.get("annotations", {}), **self.annotations}}
        return definition | {"metadata": metadata, "spec": definition["spec"] | {"conversion": clause}}

    def _own_rules(self) -> list[Rule]:
        """What follows from the reconcilers, and from the kinds of which they say nothing."""
        declared = operator_rules(self.reconcilers) if self.reconcilers else []
        known = {(rule.groups, rule.resources) for rule in declared}
        others = [kind for kind in self.kinds if _subject(kind) not in known]
        return [*declared, *(rule for kind in others for rule in rules_of(kind))]

    def text(self, command: str, *documents: Json) -> str:
        """The text of a file; its first line tells whose it is, so that an orphan can be told."""
        return yaml_file(command, self.operator, documents)

    def _short_name(self, kind: type[Resource]) -> str:
        """A kind's name, with its group where another group has a kind of that name."""
        name = kind.__kind__.name.lower()
        groups = {each.__kind__.group for each in self.kinds if each.__kind__.name.lower() == name}
        return name if len(groups) == 1 else f"{kind.__kind__.group.replace('.', '-')}-{name}"


def load_project(module: str, operator: str = "", namespace: str = "") -> Project:
    """The project of an operator's module: that of `load_operator`.

    Raises:
        ConfigError: as `load_operator` and `project_of` do.
    """
    return project_of(load_operator(module, operator), namespace)


def project_of(operator: Operator, namespace: str = "") -> Project:
    """The project of an operator, as its `add_to` makes it.

    Its kinds are those that the operator reconciles, converts and judges, those of the same groups that it
    owns or reads, and all that the module itself defines or imports; a kind in every version that its
    package has. Built-in kinds, models that `windlass generate models` made and untyped kinds are others' to
    define, and are left out. Its rules are those of its reconcilers and companions, and the module's `RULES`.

    Raises:
        ConfigError: its `add_to` fails, or it has no kinds.
    """
    module, manager = operator.module, operator.recorded()
    reconcilers = tuple(each.reconciler for each in manager.controllers)
    kinds = _own_kinds(module, reconcilers, manager.companions)
    if not kinds:
        raise ConfigError(
            f"{operator.target} has no kinds: classes like `class WebApp(Resource, group=…, version=…)`"
        )
    return Project(
        operator=operator.name,
        kinds=tuple(sorted(kinds, key=lambda kind: (kind.__kind__.group, str(kind.__kind__)))),
        rules=tuple(getattr(module, "RULES", ())),
        namespace=namespace,
        reconcilers=reconcilers,
        companions=tuple(manager.companions),
        module=operator.target if operator.add_to else "",
        summary=(module.__doc__ or "").strip().partition("\n")[0],
        written_samples=_written_samples(module),
    )


def _own_kinds(
    module: ModuleType, reconcilers: Iterable[Reconciles], companions: Iterable[Companion]
) -> dict[type[Resource], None]:
    """The kinds of an operator whose definitions are its own."""
    found = dict.fromkeys(value for value in vars(module).values() if _is_own_kind(value))
    served = [each.of for each in filter(is_of_objects, reconcilers)]
    served += [kind for each in companions for kind in each.kinds]
    groups = {kind.__kind__.group for kind in served if _is_own_kind(kind)}
    for each in reconcilers:
        declared = [watch.kind for watch in each.reads]
        declared += [owns.kind for owns in Owns.all(each.owns)] if is_of_objects(each) else []
        served += [kind for kind in declared if kind.__kind__.group in groups]
    for kind in filter(_is_own_kind, served):
        found |= dict.fromkeys([kind, *_other_versions(kind)])
    return found


def _other_versions(kind: type[Resource]) -> Iterator[type[Resource]]:
    """The other versions of a kind, as far as its module or a package around that has them."""
    parts = kind.__module__.split(".")
    names = [".".join(parts[:count]) for count in range(len(parts), 0, -1)]
    for module in filter(None, map(sys.modules.get, names)):
        for value in vars(module).values():
            same = _is_own_kind(value) and _named(value) == _named(kind)
            if same and value.__kind__.version != kind.__kind__.version:
                yield value


def _written_samples(module: ModuleType) -> dict[str, str]:
    """What lies in the folder `samples` of a package, without the line by which a generator knows its own."""
    folders = [Path(each, "samples") for each in getattr(module, "__path__", ())]
    files = {path.name: path.read_text(encoding="utf-8") for each in folders for path in each.glob("*.yaml")}
    return {name: re.sub(r"\A# Generated .*\n", "", files[name]) for name in sorted(files)}


def _is_own_kind(value: Any) -> bool:
    """Whether something is a kind whose definition is ours."""
    return (
        isinstance(value, type)
        and issubclass(value, Resource)
        and "__kind__" in vars(value)
        and not issubclass(value, Untyped)
        and not value.__module__.startswith("windlass.kinds.")
        and not is_foreign(value)
    )


def _named(kind: type[Resource]) -> str:
    known = kind.__kind__
    return f"{known.name}.{known.group}".rstrip(".")


def _subject(kind: type[Resource]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a rule about a kind is about."""
    rule = Rule.on(kind)
    return rule.groups, rule.resources
