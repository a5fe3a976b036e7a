"""Webhooks as they are declared: a function, the kind that it judges, and when it is asked."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from inspect import isasyncgenfunction, isgeneratorfunction
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar, get_args

from windlass import _declaration as declaration
from windlass.api import Resource, Untyped
from windlass.webhook.request import AdmissionRequest
from windlass.webhook.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windlass.api import LabelSelector

R = TypeVar("R", bound=Resource)

Judge = Callable[[AdmissionRequest[R]], Verdict[R] | Awaitable[Verdict[R]]]
"""From a request to a verdict. It may be `async` where others have to be asked; it should change nothing."""

Verb = Literal["create", "update", "delete", "connect", "*"]

Failure = Literal["Fail", "Ignore"]
Match = Literal["Equivalent", "Exact"]
SideEffects = Literal["None", "NoneOnDryRun"]

_CHOICES: Final = {"failure": Failure, "match": Match, "side_effects": SideEffects}
_SHORTEST: Final = timedelta(seconds=1)
_LONGEST: Final = timedelta(seconds=30)
_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}")


@dataclass(frozen=True, kw_only=True)
class HookOptions:
    """When a webhook is asked, and what happens when it cannot be.

    `conditions` are CEL expressions by name, which must all be true; they are judged by the API server, so
    that a request of which one is false never depends on the webhook. `namespaces` and `objects` select by
    labels; namespaces are never `kube-system` nor the webhook's own, unless `everywhere`. `failure` is what
    becomes of a request when the webhook does not answer. `reinvoke` asks it again if another changes the
    object later. `subresource` is judged instead of the object itself; where it has a kind of its own, as
    `exec` and `eviction` of pods have, `request.object` is `Untyped`. `side_effects` says that what it does
    outside the verdict is left out in a dry run.

    Raises:
        ValueError: a value that the API server does not take.
    """

    failure: Failure = "Fail"
    match: Match = "Equivalent"
    side_effects: SideEffects = "None"
    timeout: timedelta = timedelta(seconds=10)
    reinvoke: bool = False
    subresource: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    namespaces: LabelSelector | None = None
    objects: LabelSelector | None = None
    everywhere: bool = False

    def __post_init__(self) -> None:
        for name in ("failure", "match", "side_effects"):
            known = get_args(_CHOICES[name])
            declaration.check_choice("HookOptions", name, getattr(self, name), known)
        declaration.check_durations("HookOptions", self, "timeout")
        if not _SHORTEST <= self.timeout <= _LONGEST or self.timeout.microseconds:
            raise ValueError(f"timeout={self.timeout}: whole seconds from 1 to 30 are possible")


@dataclass(frozen=True, kw_only=True)
class Webhook(Generic[R]):
    """A function that the API server asks before it does what somebody wants. It can be called like that too.

    Made by `mutating` and `validating`. It is a value, known to nobody until it is given to a server.
    `read_as` is the type that objects are read as, where that is not the one that it is about: `Untyped` for
    a function that wants to see them as they stand on the wire. Where a `Conversion` of the same server knows
    the kind, a function is not asked to create or update an object that could not be converted, since what it
    would be shown is not what the user wrote; unless it `sees_unconverted`.
    """

    judge: Judge[R]
    of: type[R]
    mutates: bool
    name: str
    path: str
    verbs: tuple[Verb, ...]
    options: HookOptions = field(default_factory=HookOptions)
    read_as: type[Resource] | None = None
    sees_unconverted: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"{self.name!r} cannot name a webhook: at least three parts, as in sized.pods.example.com"
            )
        if not self.path.startswith("/"):
            raise ValueError(f"{self.path!r} is no path: it begins with a slash")
        _check_judge(self)
        if not self.verbs:
            raise ValueError(f"{self.name} would never be asked: it has no verbs")
        if "*" in self.verbs and len(self.verbs) > 1:
            raise ValueError(f"{self.name}: the verb * says all, and stands alone")
        for verb in self.verbs:
            declaration.check_choice(self.name, "verb", verb, get_args(Verb))

    def __call__(self, request: AdmissionRequest[R]) -> Verdict[R] | Awaitable[Verdict[R]]:
        """What the function says to a request."""
        return self.judge(request)

    @property
    def reads(self) -> type[Resource]:
        """The type that objects are read as."""
        return self.read_as or self.of

    @property
    def operations(self) -> tuple[str, ...]:
        """The verbs, as the API server writes them."""
        return tuple(verb.upper() for verb in self.verbs)


def mutating(
    of: type[R],
    *,
    verbs: Sequence[Verb] = ("create", "update"),
    name: str = "",
    path: str = "",
    options: HookOptions | None = None,
) -> Callable[[Judge[R]], Webhook[R]]:
    """Have a function change objects of a kind before they are stored.

        @mutating(WebApp)
        def with_image(request: AdmissionRequest[WebApp]) -> Verdict[WebApp]:
            app = request.object
            app.spec.image = app.spec.image or "shop:latest"
            return Verdict.change(app)

    `name` and `path` are `mutate-v1.webapps.demo.example.com` and, as kubebuilder makes it,
    `/mutate-demo-example-com-v1-webapp`, unless they are said.

    Raises:
        ValueError: the name has fewer than three parts, the path no slash, or the verbs say nothing or `*`
            among others.
    """
    return _declared(of, "mutate", verbs, (name, path), options)


def validating(
    of: type[R],
    *,
    verbs: Sequence[Verb] = ("create", "update"),
    name: str = "",
    path: str = "",
    options: HookOptions | None = None,
) -> Callable[[Judge[R]], Webhook[R]]:
    """Have a function judge objects of a kind, after all that change them.

        @validating(WebApp, verbs=("delete",))
        def keep_what_is_used(request: AdmissionRequest[WebApp]) -> Verdict[WebApp]:
            if request.object.status.users:
                return Verdict.deny("it is in use: remove its users first")
            return Verdict.allow()

    Raises:
        ValueError: as `mutating` does.
    """
    return _declared(of, "validate", verbs, (name, path), options)


def _declared(
    of: type[R],
    what: Literal["mutate", "validate"],
    verbs: Sequence[Verb],
    named: tuple[str, str],
    options: HookOptions | None,
) -> Callable[[Judge[R]], Webhook[R]]:
    """What makes a webhook of a function; `named` are its name and its path, empty for the usual ones."""
    decorator = "mutating" if what == "mutate" else "validating"
    given: object = of
    if not (isinstance(given, type) and issubclass(given, Resource) and hasattr(given, "__kind__")):
        raise TypeError(f"@{decorator} is given {of!r}: write @{decorator}(WebApp), with the class of a kind")
    declaration.check_words(f"@{decorator}({of.__name__})", "verbs", verbs, "create")
    name, path = named
    return lambda judge: Webhook(
        judge=judge,
        of=of,
        mutates=what == "mutate",
        name=name or _name(what, of),
        path=path or _path(what, of),
        verbs=tuple(verbs),
        options=options or HookOptions(),
    )


def _name(what: str, of: type[Resource]) -> str:
    kind = of.__kind__
    return f"{what}-{kind.version}.{kind.plural}.{kind.group or 'core'}"


def _path(what: str, of: type[Resource]) -> str:
    kind = of.__kind__
    parts = [what, *kind.group.split("."), kind.version, kind.name.lower()]
    return f"/{'-'.join(filter(None, parts))}"


def _check_judge(webhook: Webhook[Any]) -> None:
    """Refuse a function that cannot be called with a request, or that returns no verdict."""
    judge: Any = declaration.innermost(webhook.judge)
    kind, name = webhook.of.__name__, getattr(judge, "__name__", repr(judge))
    line = f"write def {name}(request: AdmissionRequest[{kind}]) -> Verdict[{kind}]"
    if not callable(judge) or isgeneratorfunction(judge) or isasyncgenfunction(judge):
        raise TypeError(f"{webhook.name}: {name} is no function that returns a verdict: {line}")
    if not declaration.takes(webhook.judge, 1):
        raise TypeError(f"{webhook.name}: {name} takes other parameters than the request: {line}")
    if declaration.returns_another(judge, Verdict, Awaitable):
        raise TypeError(
            f"{webhook.name}: {name} is annotated to return something else than a verdict: {line}"
        )
    for given in get_args(declaration.parameter(judge, 0)):
        told = isinstance(given, type) and issubclass(given, Resource) and not issubclass(given, Untyped)
        if told and not (issubclass(given, webhook.of) or issubclass(webhook.of, given)):
            raise TypeError(f"{webhook.name}: {name} is annotated for {given.__name__}: {line}")
