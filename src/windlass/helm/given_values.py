"""Values from a command line, in the grammar of `helm`: files, `--set` and `--set-string`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson

from windlass.api import Key, read_yaml
from windlass.errors import ConfigError, HelmError
from windlass.helm.blueprint import Blueprint
from windlass.helm.capabilities import Capabilities
from windlass.helm.values import chart_of
from windlass.helm.variant import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Json
    from windlass.helm.engine import Helm

_TARGET: Final = re.compile(r"([A-Z][A-Za-z0-9]*):(.*)", re.DOTALL)
_ECHO: Final = """
apiVersion: v1
kind: ConfigMap
metadata: {name: values}
data: {values: {{ .Values | toJson | quote }}}
"""


@dataclass(frozen=True, kw_only=True)
class GivenValues:
    """Values for charts: of files, then of `--set`, then of `--set-string`; the last one wins.

    Each word may begin with a kind and a colon, as in `Shop:replicas=2`. It is then for the chart of that
    kind alone, and for all charts otherwise.
    """

    files: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    set_strings: tuple[str, ...] = ()

    async def by_kind(self, kinds: Iterable[str], helm: Helm) -> Mapping[str, Json]:
        """Return the values for the chart of each kind.

        Raises:
            ConfigError: a file cannot be read, an assignment cannot be parsed, or a kind is none of these.
            ToolError: there is no `helm` program.
        """
        known = sorted(set(kinds))
        for word in (*self.files, *self.sets, *self.set_strings):
            target = _TARGET.fullmatch(word)
            if target and target[1] not in known:
                raise ConfigError(f"{word}: no entry is for the kind {target[1]}; use {' or '.join(known)}")
        found = {kind: self._for(kind) for kind in known}
        values = {each: await each.values(helm) for each in dict.fromkeys(found.values())}
        return {kind: values[each] for kind, each in found.items()}

    def _for(self, kind: str) -> GivenValues:
        return GivenValues(
            files=_targeted(self.files, kind),
            sets=_targeted(self.sets, kind),
            set_strings=_targeted(self.set_strings, kind),
        )

    async def values(self, helm: Helm) -> Json:
        """Return the values of words without a kind, as `helm` parses them."""
        values: Json = {}
        for name in self.files:
            values = merged(values, _in_file(Path(name)))
        if not self.sets and not self.set_strings:
            return values
        with chart_of({"values.yaml": _ECHO}) as chart:
            blueprint = Blueprint(
                release=Key("default", "values"),
                chart=chart,
                values=values,
                assignments=self.sets,
                overrides=self.set_strings,
                capabilities=Capabilities(kube_version="v1.30.0"),  # which the chart does not ask for
            )
            try:
                (echo,) = await helm.render(blueprint, is_upgrade=False)
            except HelmError as error:
                raise ConfigError(f"--set and --set-string cannot be parsed: {error}") from error
        parsed: Json = orjson.loads(echo["data"]["values"])
        return parsed


def _targeted(words: Iterable[str], kind: str) -> tuple[str, ...]:
    found = ((_TARGET.fullmatch(word), word) for word in words)
    return tuple(target[2] if target else word for target, word in found if not target or target[1] == kind)


def _in_file(file: Path) -> Json:
    try:
        documents = read_yaml(file.read_bytes(), str(file))
    except OSError as error:
        raise ConfigError(f"cannot read values from {file}: {error.strerror}") from error
    if not documents or documents[0] is None:
        return {}
    if len(documents) > 1 or not isinstance(documents[0], dict):
        raise ConfigError(f"{file} must be one mapping of values, such as `replicaCount: 2`")
    return documents[0]
