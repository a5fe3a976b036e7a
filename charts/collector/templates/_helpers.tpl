{{- define "collector.fullname" -}}
{{- default "collector" .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}
{{- end -}}
