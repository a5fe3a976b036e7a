"""A Helm chart of what is delivered.

The templates come from the functions that make the objects. They are given a name and a namespace that stand
for Helm's, and what is a value is marked (`@nodeSelector`); in the text, both become actions of Helm.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from windlass._version import __version__
from windlass.api import read_yaml, write_yaml
from windlass.codegen.delivery.values import values_file
from windlass.codegen.delivery.workload import (
    HELM_RESOURCES,
    HELM_TMP_SIZE,
    RESOURCES,
    TMP_SIZE,
    WATCH_NAMESPACE,
    Workload,
)
from windlass.codegen.files import header, yaml_file

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.codegen.delivery.delivery import Delivery
    from windlass.codegen.project import Project

NETWORK: Final = "network-policy"
PROMETHEUS: Final = "prometheus"
_OPTIONAL: Final = {NETWORK: "networkPolicy", PROMETHEUS: "prometheus"}
_NAME: Final = "name-of-the-chart"
_NAMESPACE: Final = "namespace-of-the-release"
_ROOT: Final = "-from-the-root"
_WATCHED: Final = "namespace-that-is-watched"
_IMAGE: Final = "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
# 28 characters leave room for the rest of the longest name, that of the Service of the metrics.
_FULL_NAME: Final = """\
{{{{- define "{chart}.fullname" -}}}}
{{{{- default "{chart}" .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}}}
{{{{- end -}}}}
"""
_NOTES: Final = """\
{chart} runs in {{{{ .Release.Namespace }}}}:

  kubectl -n {{{{ .Release.Namespace }}}} rollout status \\
    deployment/{{{{ include "{chart}.fullname" . }}}}-controller-manager
"""
_KEPT: Final = """\
metadata:
  {{- if .Values.crds.keep }}
  annotations:
    helm.sh/resource-policy: keep
  {{- end }}
"""
_KEPT_TOO: Final = """\
metadata:
  annotations:
    {{- if .Values.crds.keep }}
    helm.sh/resource-policy: keep
    {{- end }}
"""
_WORKLOAD: Final = Workload(
    image=_IMAGE,
    pull_policy="@image.pullPolicy",
    replicas="@replicas",
    args=["@args"],
    env=["@watchNamespaces", "@env"],
    resources="@resources",
    tmp_size="@tmp.sizeLimit",
    spec={name: f"@{name}" for name in ("imagePullSecrets", "nodeSelector", "tolerations", "affinity")},
)


def chart_files(delivery: Delivery) -> dict[str, str]:
    """The files of the chart of an operator."""
    project = replace(delivery.project, operator=_NAME, namespace=_NAMESPACE, watch_namespaces=())
    shaped = replace(delivery, project=project, workload=_WORKLOAD)
    whole = shaped.whole.project
    running = {**shaped.running_files(), **shaped.whole.files}
    del running["manager/namespace.yaml"]  # Helm makes it, or it is there
    templates = {
        **{file.replace("bases/", ""): _definition(text) for file, text in whole.crds().items()},
        **_roles(whole),
        **{file: _template(text) for file, text in running.items()},
        **{
            file: _when(_OPTIONAL[file.partition("/")[0]], _template(text))
            for file, text in shaped.optional_files().items()
        },
    }
    chart = delivery.project.operator
    head = header("chart", chart)
    return {
        "Chart.yaml": _chart(delivery),
        "values.yaml": head + _values(delivery),
        ".helmignore": head,
        "templates/_helpers.tpl": _FULL_NAME.format(chart=chart),
        "templates/NOTES.txt": _NOTES.format(chart=chart),
        **{f"templates/{file}": head + _named(text, chart) for file, text in sorted(templates.items())},
    }


def _values(delivery: Delivery) -> str:
    helm = delivery.project.runs_helm
    resources, tmp = (HELM_RESOURCES, HELM_TMP_SIZE) if helm else (RESOURCES, TMP_SIZE)
    command = "windlass helm run" if delivery.project.runs_watches else "windlass run"
    return values_file(delivery.image, resources, tmp, delivery.project.watch_namespaces, command)


def _chart(delivery: Delivery) -> str:
    project = delivery.project
    document = {
        "apiVersion": "v2",
        "name": project.operator,
        "description": project.summary or f"The operator {project.operator}.",
        "type": "application",
        "version": re.sub(r"^(\d+\.\d+\.\d+)\.?(?=\D)", r"\1-", __version__) if delivery.ships else "0.1.0",
        "appVersion": delivery.image.rpartition(":")[2],
    }
    return yaml_file("chart", project.operator, [document])


def _definition(text: str) -> str:
    """A definition as a template; what looks like an action in its descriptions is none."""
    escaped = _without_header(text).replace("{{", '{{ "{{" }}')
    annotated = "metadata:\n  annotations:\n"
    kept = _KEPT_TOO if annotated in escaped else _KEPT
    return _when("crds", escaped.replace(annotated if kept is _KEPT_TOO else "metadata:\n", kept, 1))


def _roles(project: Project) -> dict[str, str]:
    """The roles of an operator that watches all namespaces, or those of `watchNamespaces`."""
    everywhere = project.rbac()
    limited = replace(project, watch_namespaces=(_WATCHED,)).rbac()
    return {
        file: _either(*(read_yaml(text) for text in (everywhere[file], limited[file]))) for file in everywhere
    }


def _either(everywhere: list[Json], limited: list[Json]) -> str:
    """The documents that are always the same, then one list of the others or the other."""
    always = [each for each in everywhere if each in limited]
    if everywhere == limited:
        return write_yaml(everywhere)
    otherwise = [each for each in everywhere if each not in always]
    some = [each for each in limited if each not in always]
    watched = [each for each in some if each["metadata"].get("namespace") == _WATCHED]
    cluster = [each for each in some if each not in watched]
    lines = [
        "{{- if .Values.watchNamespaces }}",
        *(f"---\n{write_yaml([each])}".rstrip() for each in cluster),
        "{{- range .Values.watchNamespaces }}",
        *(f"---\n{_from_root(write_yaml([each]))}".rstrip() for each in watched),
        "{{- end }}",
        *(["{{- else }}"] if otherwise else []),
        *(f"---\n{write_yaml([each])}".rstrip() for each in otherwise),
        "{{- end }}",
    ]
    return write_yaml(always) + "\n".join(lines) + "\n"


def _from_root(text: str) -> str:
    """A text inside of `range`, where the dot is the watched namespace."""
    names = text.replace(f"namespace: {_WATCHED}", "namespace: {{ . | quote }}")
    return names.replace(_NAME, f"{_NAME}{_ROOT}").replace(_NAMESPACE, f"{_NAMESPACE}{_ROOT}")


def _template(text: str) -> str:
    """A text in which each mark has become an action: `with` the value, where there is one."""
    text = _without_header(text).replace("replicas: '@replicas'", "replicas: {{ .Values.replicas }}")
    text = re.sub(r"^( *)- '@watchNamespaces'$", _watch_namespace, text, flags=re.MULTILINE)
    text = re.sub(r"^( *)- '@([\w.]+)'$", _more, text, flags=re.MULTILINE)
    return re.sub(r"^( *)(\w+): '@([\w.]+)'$", _field, text, flags=re.MULTILINE)


def _named(text: str, chart: str) -> str:
    """A text with Helm's names in the place of those that stood for them."""
    for suffix, root in ((_ROOT, "$"), ("", ".")):
        full_name = f'{{{{ include "{chart}.fullname" {root} }}}}'
        release = f"{{{{ {root.rstrip('.')}.Release.Namespace }}}}"
        text = text.replace(f"{_NAME}{suffix}", full_name).replace(f"{_NAMESPACE}{suffix}", release)
    return text


def _more(found: re.Match[str]) -> str:
    """Elements of a list that follow the others."""
    indent, value = found.groups()
    return _with(indent, value, [f"{indent}{{{{- toYaml . | nindent {len(indent)} }}}}"])


def _watch_namespace(found: re.Match[str]) -> str:
    """The variable that limits the operator."""
    indent = found[1]
    value = f'{indent}  value: {{{{ join "," . | quote }}}}'
    return _with(indent, "watchNamespaces", [f"{indent}- name: {WATCH_NAMESPACE}", value])


def _field(found: re.Match[str]) -> str:
    indent, field, value = found.groups()
    return _with(
        indent, value, [f"{indent}{field}:", f"{indent}  {{{{- toYaml . | nindent {len(indent) + 2} }}}}"]
    )


def _with(indent: str, value: str, lines: list[str]) -> str:
    return "\n".join([f"{indent}{{{{- with .Values.{value} }}}}", *lines, f"{indent}{{{{- end }}}}"])


def _when(value: str, text: str) -> str:
    return f"{{{{- if .Values.{value}.enabled }}}}\n{text}{{{{- end }}}}\n"


def _without_header(text: str) -> str:
    return text.partition("\n")[2]
