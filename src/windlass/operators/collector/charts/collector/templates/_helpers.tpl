{{- define "collector.selector" -}}
app.kubernetes.io/name: collector
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "collector.labels" -}}
{{ include "collector.selector" . }}
app.kubernetes.io/version: {{ include "collector.tag" . | trunc 63 | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
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
