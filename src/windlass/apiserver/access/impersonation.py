"""Acting as somebody else: what the headers ask for, and whether that is allowed.

There are five ways to be allowed, tried in order. Four are constrained by two rules: one on whom one may act
as (`impersonate:user-info`), one on what one may do meanwhile (`impersonate-on:user-info:list`). The last is
the older one: whoever may `impersonate` somebody may do whatever they may.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from windlass.apiserver.access.account import account_of, groups_of
from windlass.apiserver.access.attempt import Attempt, denied
from windlass.apiserver.access.authenticator import AUTHENTICATED, UNAUTHENTICATED
from windlass.apiserver.access.rbac import MASTERS
from windlass.apiserver.exchange import ANONYMOUS, User
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.validation.names import dns_subdomain
from windlass.schema import Fault, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from windlass.apiserver.access.rbac import Rbac

_EXTRA: Final = "impersonate-extra-"
_NODE: Final = "system:node:"
_NODE_NAME: Final = "authentication.kubernetes.io/node-name"
_AUTHENTICATION: Final = "authentication.k8s.io"
_ASSOCIATED: Final = "associated-node"
_MODES: Final = (_ASSOCIATED, "arbitrary-node", "serviceaccount", "user-info", "")
"""The ways by their names in verbs; the older one has none."""
_DOMAIN_PATH: Final = re.compile(r"([^/]+)/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")
_MOST: Final = 10_000


def wanted_user(headers: Mapping[str, str]) -> User | None:
    """Whom the headers of a request ask to act as, exactly as they say it; `None` when they do not ask.

    Raises:
        Refusal: 400, they do not say whom.
    """
    asked = {name: value for name, value in headers.items() if name.startswith("impersonate-")}
    if not asked:
        return None
    extra: dict[str, list[str]] = {}
    for name, values in asked.items():
        if name.startswith(_EXTRA):
            extra.setdefault(unquote(name.removeprefix(_EXTRA)), []).extend(values.split("\n"))
    groups = tuple(asked["impersonate-group"].split("\n")) if "impersonate-group" in asked else ()
    uid = asked.get("impersonate-uid", "")
    name = asked.get("impersonate-user", "")
    user = User(name, groups, uid, {key: extra[key] for key in sorted(extra)})
    if name:
        return user
    if groups or uid or extra:
        raise Refusal.bad_request(f"requested {_in_go(user)} without impersonating a user name")
    return None


class Impersonator:
    """Lets users act as others. It remembers how each was last allowed to, and tries that way first."""

    def __init__(self, rbac: Rbac) -> None:
        self._rbac = rbac
        self._last: dict[str, str] = {}

    def acting(self, user: User, wanted: User, attempt: Attempt) -> User:
        """Who a user becomes for an attempt.

        Raises:
            Refusal: 403, no way is allowed; the first that could have been says why.
        """
        first: Refusal | None = None
        last = self._last.get(user.name)
        modes = _MODES if last is None else (last, *(mode for mode in _MODES if mode != last))
        for mode in modes:
            if not _applies(mode, wanted, user):
                continue
            refusal = self._refusal(mode, user, wanted, attempt)
            if refusal is None:
                self._remember(user.name, mode)
                return _completed(wanted, mode)
            first = first or refusal
        raise first or denied(user, attempt)

    def _refusal(self, mode: str, user: User, wanted: User, attempt: Attempt) -> Refusal | None:
        try:
            for each in _attempts(mode, user, wanted, attempt):
                verdict = self._rbac.decide(user, each)
                if not verdict.allowed:
                    return denied(user, each, verdict.reason)
        except Refusal as refusal:
            return refusal
        return None

    def _remember(self, name: str, mode: str) -> None:
        if len(self._last) >= _MOST:
            self._last.clear()
        self._last[name] = mode


def _applies(mode: str, wanted: User, user: User) -> bool:
    if not mode:
        return True
    node, account = _node_of(wanted.name), account_of(wanted.name)
    if mode == "user-info":
        return node is None and account is None
    if wanted.uid or wanted.groups or wanted.extra:
        return False
    if mode == "serviceaccount":
        return account is not None
    if mode == _ASSOCIATED and (account_of(user.name) is None or user.extra.get(_NODE_NAME) != [node]):
        return False
    return node is not None


def _attempts(mode: str, user: User, wanted: User, attempt: Attempt) -> Iterator[Attempt]:
    """Everything that must be allowed."""
    verb = f"impersonate:{mode}" if mode else "impersonate"
    if mode:
        yield attempt._replace(verb=f"impersonate-on:{mode}:{attempt.verb}")
    yield _whom(mode, verb, wanted.name)
    if wanted.uid:
        yield Attempt(verb=verb, group=_AUTHENTICATION, resource="uids", name=wanted.uid)
    groups = Attempt(verb=verb, group=_AUTHENTICATION if mode else "", resource="groups")
    extras = Attempt(verb=verb, group=_AUTHENTICATION, resource="userextras")
    if mode and "" in wanted.groups:
        raise denied(user, groups, "impersonating the empty string group is not allowed")
    if mode and MASTERS in wanted.groups:
        named = groups._replace(name=MASTERS)
        raise denied(user, named, f"impersonating the {MASTERS} group is not allowed")
    for group in wanted.groups:
        yield groups._replace(name=group)
    problem = _extra_problem(wanted.extra) if mode else ""
    if problem:
        raise denied(user, extras, problem)
    for key, values in wanted.extra.items():
        for value in values:
            yield extras._replace(subresource=key, name=value)


def _whom(mode: str, verb: str, name: str) -> Attempt:
    group = _AUTHENTICATION if mode else ""
    node, account = _node_of(name) if mode else None, account_of(name)
    if node is not None:
        # A service account on many nodes is allowed to be each of them by one rule, which names none.
        return Attempt(verb=verb, group=group, resource="nodes", name="*" if mode == _ASSOCIATED else node)
    if account is not None:
        namespace, short = account
        return Attempt(verb=verb, group=group, resource="serviceaccounts", namespace=namespace, name=short)
    return Attempt(verb=verb, group=group, resource="users", name=name)


def _completed(wanted: User, mode: str) -> User:
    groups, account = wanted.groups, account_of(wanted.name)
    if not groups and account is not None:
        groups = groups_of(account[0])
    elif mode and _node_of(wanted.name) is not None:
        groups = ("system:nodes",)
    if wanted.name == ANONYMOUS.name:
        needed = UNAUTHENTICATED
    elif UNAUTHENTICATED in groups:
        return replace(wanted, groups=groups)
    else:
        needed = AUTHENTICATED
    return replace(wanted, groups=groups if needed in groups else (*groups, needed))


@lru_cache(maxsize=1024)
def _node_of(name: str) -> str | None:
    node = name.removeprefix(_NODE)
    return node if node != name and not dns_subdomain(node) else None


def _extra_problem(extra: Mapping[str, Sequence[str]]) -> str:
    for key, values in extra.items():
        if not key:
            return "impersonating the empty string key in extra is not allowed"
        found = _DOMAIN_PATH.fullmatch(key)
        if found is None or dns_subdomain(found[1]):
            fault = Fault.invalid("extra.key", key, 'must be a domain-prefixed path (such as "acme.io/foo")')
            return f"impersonating an invalid key in extra is not allowed: {fault}"
        if "" in values:
            return "impersonating the empty string value in extra is not allowed"
    return ""


def _in_go(user: User) -> str:
    """A user as Go's `%#v` writes it."""
    pairs = ", ".join(f"{quoted(key)}:{_strings_in_go(values)}" for key, values in user.extra.items())
    extra = f"map[string][]string{{{pairs}}}" if user.extra else "map[string][]string(nil)"
    groups = _strings_in_go(user.groups) if user.groups else "[]string(nil)"
    names = f"Name:{quoted(user.name)}, UID:{quoted(user.uid)}"
    return f"&user.DefaultInfo{{{names}, Groups:{groups}, Extra:{extra}}}"


def _strings_in_go(texts: Sequence[str]) -> str:
    return f"[]string{{{', '.join(quoted(text) for text in texts)}}}"
