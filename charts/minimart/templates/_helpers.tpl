{{- define "minimart.fullname" -}}
{{- default "minimart" .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}
{{- end -}}
