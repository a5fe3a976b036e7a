{{- define "collector.selector" -}}
app.kubernetes.io/name: collector
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "collector.labels" -}}
{{ include "collector.selector" . }}
app.kubernetes.io/version: {{ include "collector.label" (include "collector.tag" .) | quote }}
helm.sh/chart: {{ include "collector.label" (printf "%s-%s" .Chart.Name .Chart.Version) | quote }}
{{- end }}

{{- /* A text as the value of a label: 63 characters at most, letters and digits at both ends. */}}
{{- define "collector.label" -}}
{{ regexReplaceAll "[^A-Za-z0-9_.-]" . "_" | trimAll "-_." | trunc 63 | trimAll "-_." }}
{{- end }}

{{- /* A tag such as 20260101 may come as a number, which would be printed as 2.0260101e+07. */}}
{{- define "collector.tag" -}}
{{ .Values.image.tag | default .Chart.AppVersion | toJson | trimAll "\"" }}
{{- end }}

{{- /* What the chart does not use itself is the collector's; JSON, which is YAML too, keeps large numbers whole. */}}
{{- define "collector.config" -}}
{{- $own := list "replicaCount" "image" "imagePullSecrets" "config" "env" "args" "service" "serviceMonitor" "resources" "podAnnotations" "podSecurityContext" "securityContext" "nodeSelector" "tolerations" "affinity" "global" }}
{{- $config := dict }}
{{- range $key, $value := .Values }}
{{- if not (has $key $own) }}
{{- $_ := set $config $key $value }}
{{- end }}
{{- end }}
{{- mergeOverwrite $config (deepCopy (.Values.config | default dict)) | toPrettyJson }}
{{- end }}
