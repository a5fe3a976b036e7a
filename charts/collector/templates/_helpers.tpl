{{- define "collector.fullname" -}}
{{- default "collector" .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}
