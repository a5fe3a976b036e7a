"""All that is generated for one operator, as files below its `config` folder."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from windlass.api import Resource, Untyped
from windlass.codegen.crd import crd_file, custom_resource_definitions, definition_of, has_status
from windlass.codegen.files import header, yaml_file
from windlass.codegen.grant import events_in_default, operator_rules
from windlass.codegen.module import load_module
from windlass.codegen.rbac import (
    bindings,
    leader_election_role,
    limited_roles,
    manager_roles,
    rules_of,
    user_roles,
)
from windlass.codegen.sample import sample, sample_file
from windlass.errors import ConfigError
from windlass.reconcile import KeyReconciler, Reconciler, Rule, is_of_objects
from windlass.schema import is_foreign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from windlass.api import Json
    from windlass.reconcile import Reconciles


@dataclass(frozen=True, kw_only=True)
class Project:
    """An operator as the generator sees it: its name, its kinds, and what it may do.

    With `reconcilers` that is what they declare, and nothing more; kinds that none of them declares may be
    written as a whole. `rules` are said by the operator itself, and so are `written_samples`, by file.
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
        if not re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?", self.operator):
            raise ConfigError(
                f"{self.operator!r} cannot be an operator's name: use lower-case letters, digits and dashes"
            )

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
        return (f"--name={self.operator}",) if self.runs_watches else ("run", self.module)

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
        """The custom resource definitions."""
        definitions = self.written_definitions or custom_resource_definitions(self.kinds)
        made = [self._converted(each) for each in definitions]
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
        rules = [*self._own_rules(), *self.rules]
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
        """The operator's own samples; without any, an object of each kind in each version that is served."""
        if self.written_samples:
            head = header("samples", self.operator)
            return {f"samples/{name}": head + text for name, text in self.written_samples.items()}
        served = [kind for kind in self.kinds if definition_of(kind).served]
        files = Counter(map(sample_file, served))
        groups = [kind.__kind__.group if files[sample_file(kind)] > 1 else "" for kind in served]
        return {
            f"samples/{sample_file(kind, group)}": self.text("samples", sample(kind))
            for kind, group in zip(served, groups, strict=True)
        }

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
    """The project of a module: the kinds and reconcilers that it defines or imports, and its rules.

    Those are its `RULES`, and what its function `rules()` returns, where what reconcilers may do depends on
    how they are made.

    `module` is a dotted name or the path of a file. The operator's name is what its `OPERATOR` says, else
    its own, or its package's where the module is called `types`, unless told otherwise. Built-in kinds,
    models that `windlass generate models` made and untyped kinds are others' to define, and are left out.

    Raises:
        ConfigError: the module cannot be imported, or has no kinds; the operator's name cannot be one.
    """
    loaded = load_module(module)
    found = [value for value in vars(loaded).values() if _is_own_kind(value)]
    if not found:
        raise ConfigError(f"{module} has no kinds: classes like `class WebApp(Resource, group=…, version=…)`")
    kinds = tuple(sorted(dict.fromkeys(found), key=lambda kind: (kind.__kind__.group, str(kind.__kind__))))
    declared = dict.fromkeys(value for value in vars(loaded).values() if _is_reconciler(value))
    reconcilers = tuple(_made(each) for each in declared)
    name = operator or getattr(loaded, "OPERATOR", "") or _operator_name(module)
    runs = callable(getattr(loaded, "add_to", None)) or reconcilers
    return Project(
        operator=name,
        kinds=kinds,
        rules=_said_rules(loaded),
        namespace=namespace,
        reconcilers=reconcilers,
        module=module if runs else "",
        summary=(loaded.__doc__ or "").strip().partition("\n")[0],
        written_samples=_written_samples(loaded),
    )


def _operator_name(module: str) -> str:
    parts = Path(module).resolve().with_suffix("").parts if module.endswith(".py") else module.split(".")
    name = parts[-2] if parts[-1] in ("types", "__init__") and len(parts) > 1 else parts[-1]
    return name.replace("_", "-").lower()


def _said_rules(module: ModuleType) -> tuple[Rule, ...]:
    made: Callable[[], Iterable[Rule]] | None = getattr(module, "rules", None)
    constant: Iterable[Rule] = getattr(module, "RULES", ())
    return (*constant, *(made() if callable(made) else ()))


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


def _is_reconciler(value: Any) -> bool:
    """Whether something is a reconciler, or a class of such; a base class of others has no name."""
    kind = value if isinstance(value, type) else type(value)
    return issubclass(kind, (Reconciler, KeyReconciler)) and bool(getattr(value, "name", ""))


def _made(reconciler: Reconciles) -> Reconciles:
    """A reconciler of a class that needs nothing to be made, since it may say what it reads only then."""
    if not isinstance(reconciler, type):
        return reconciler
    try:
        inspect.signature(reconciler.__init__).bind(None)  # of a class, 3.11.2 tells that of `__new__`
    except TypeError:
        return reconciler
    return reconciler()


def _named(kind: type[Resource]) -> str:
    known = kind.__kind__
    return f"{known.name}.{known.group}".rstrip(".")


def _subject(kind: type[Resource]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a rule about a kind is about."""
    rule = Rule.on(kind)
    return rule.groups, rule.resources
