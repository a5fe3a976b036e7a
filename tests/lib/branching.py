"""A chart most of which is hidden behind values, capabilities and subcharts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.helm import Chart

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def _object(api_version: str, kind: str, more: str = "", annotations: str = "{}") -> str:
    head = f"apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: {{{{ .Release.Name }}}}\n"
    return f"{head}  annotations: {annotations}\n{more}"


def _if(test: str, text: str) -> str:
    return f"{{{{- if {test} }}}}\n{text}\n{{{{- end }}}}\n"


def _hook(event: str) -> str:
    return f'{{"helm.sh/hook": {event}, helm.sh/hook-delete-policy: hook-succeeded}}'


ROLE = """
rules:
  - apiGroups: [""]
    resources: [pods]
    verbs: [list]
  - apiGroups: [rbac.authorization.k8s.io]
    resources: [roles]
    verbs: [get, escalate, bind]
  - nonResourceURLs: [/metrics]
    verbs: [get]
"""
BINDING = "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}\nsubjects: []\n"
DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sheep.farm.example.com}
spec:
  group: farm.example.com
  scope: Namespaced
  names: {kind: Sheep, plural: sheep}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""
FILES: Mapping[str, str] = {
    "Chart.yaml": """
apiVersion: v2
name: branching
version: 0.1.0
dependencies:
  - {name: pen, version: 0.1.0, alias: fold, condition: fold.enabled}
""",
    "values.yaml": """
ingress: {enabled: false}
account: true
fold: {enabled: false}
kind: Deployment
broken: false
token: ""
extra: {rules: []}
""",
    "README.md": "kind: Nonsense",
    "crds/sheep.yaml": DEFINITION,
    "templates/config.yaml": _object("v1", "ConfigMap"),
    "templates/ingress.yaml": _if(
        ".Values.ingress.enabled",
        _object(
            "networking.k8s.io/v1",
            "Ingress",
            "spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}",
        ),
    ),
    "templates/account.yaml": _if("not .Values.account", _object("v1", "ServiceAccount")),
    "templates/secret.yaml": _if(".Values.token", _object("v1", "Secret", "data: {}")),
    "templates/role.yaml": _if(
        ".Values.extra.rules", _object("rbac.authorization.k8s.io/v1", "ClusterRole", ROLE)
    ),
    "templates/binding.yaml": _if(
        ".Values.extra.rules", _object("rbac.authorization.k8s.io/v1", "RoleBinding", BINDING)
    ),
    "templates/set.yaml": _if(
        'eq .Values.kind "StatefulSet"',
        _object(
            "apps/v1",
            "StatefulSet",
            "spec: {serviceName: x, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},"
            " spec: {containers: [{name: a, image: b}]}}}",
        ),
    ),
    "templates/monitor.yaml": _if(
        '.Capabilities.APIVersions.Has "monitoring.coreos.com/v1"',
        _object("monitoring.coreos.com/v1", "ServiceMonitor"),
    ),
    "templates/hook.yaml": _object("v1", "LimitRange", "spec: {limits: []}", _hook("pre-install")),
    "templates/tests/test.yaml": _object("v1", "Pod", "spec: {containers: []}", _hook("test")),
    "templates/broken.yaml": _if(".Values.broken", '{{ fail "never do this" }}'),
    "templates/deep.yaml": _if(
        'eq (printf "%s-%s" .Values.kind .Release.Name) "odd"', _object("batch/v1", "CronJob")
    ),
    "templates/sheep.yaml": _if(".Release.IsUpgrade", _object("farm.example.com/v1", "Sheep")),
    "templates/_look.tpl": '{{- define "look" }}{{ lookup "v1" "Node" "" "" }}{{ end }}\n# kind: Comment',
    "charts/pen/Chart.yaml": "apiVersion: v2\nname: pen\nversion: 0.1.0\n",
    "charts/pen/values.yaml": "gate: {open: false}\n",
    "charts/pen/templates/gate.yaml": _if(
        ".Values.gate.open",
        _object(
            "v1",
            "PersistentVolumeClaim",
            """spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
""",
        ),
    ),
}


def write_chart(folder: Path, files: Mapping[str, str] = FILES) -> Chart:
    """The chart, in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Chart.read(folder)
