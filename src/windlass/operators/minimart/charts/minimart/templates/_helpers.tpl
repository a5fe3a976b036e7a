{{/* The name of the application. */}}
{{- define "minimart.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* The name of all objects: names of Services and of labels have 63 characters at most. */}}
{{- define "minimart.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* The labels by which pods are found; they never change. */}}
{{- define "minimart.selectorLabels" -}}
app.kubernetes.io/name: {{ include "minimart.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* The labels of every object. */}}
{{- define "minimart.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "minimart.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The name of the account that the pods have. */}}
{{- define "minimart.serviceAccountName" -}}
{{- $own := empty (include "minimart.isTrue" .Values.serviceAccount.create) | ternary "default" (include "minimart.fullname" .) }}
{{- default $own .Values.serviceAccount.name }}
{{- end }}

{{/* The image. A tag that YAML took for a number is written as one would write it, not as 2.026e+07. */}}
{{- define "minimart.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag }}
{{- if and (kindIs "float64" $tag) (eq (floor $tag) $tag) }}{{ $tag = int64 $tag }}{{ end }}
{{- printf "%s:%v" .Values.image.repository $tag }}
{{- end }}

{{/* The port that the shop listens at, whatever kind of number the values have. */}}
{{- define "minimart.httpPort" -}}
{{- .Values.apps.httpport | default 80 | int64 }}
{{- end }}

{{/* Nothing unless a switch is on. One that an override sets is text, of which "false" counts as true in templates. */}}
{{- define "minimart.isTrue" -}}
{{- if eq (toString . | lower) "true" }}true{{ end }}
{{- end }}

{{/* How a probe asks whether the shop is well. */}}
{{- define "minimart.probe" -}}
{{- if .Values.probePath -}}
httpGet:
  path: {{ .Values.probePath | quote }}
  port: http
{{- else -}}
tcpSocket:
  port: http
{{- end }}
{{- end }}

{{/*
Where an Ingress leads to, in the form of networking.k8s.io/v1. Our own Service has one port, by name; that of another
may be a name or a number. Takes a list of the backend, which may be nothing, and the root.
*/}}
{{- define "minimart.backend" -}}
{{- $backend := index . 0 | default dict }}
{{- $own := include "minimart.fullname" (index . 1) }}
{{- if $backend.service }}
{{- toYaml $backend }}
{{- else if has $backend.serviceName (list nil "" $own) -}}
service:
  name: {{ $own | quote }}
  port:
    name: http
{{- else -}}
service:
  name: {{ $backend.serviceName | quote }}
  port:
    {{- if regexMatch "^[0-9]" (toString $backend.servicePort) }}
    number: {{ $backend.servicePort | int64 }}
    {{- else }}
    name: {{ default "http" $backend.servicePort | quote }}
    {{- end }}
{{- end }}
{{- end }}
