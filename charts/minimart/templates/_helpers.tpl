{{- define "minimart.fullname" -}}
{{- default "minimart" .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}
