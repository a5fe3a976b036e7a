{{- define "pagerduty.fullname" -}}
{{- default "pagerduty" .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}
{{- end -}}
