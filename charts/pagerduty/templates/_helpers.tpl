{{- define "pagerduty.fullname" -}}
{{- default "pagerduty" .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}
