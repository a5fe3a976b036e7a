{{- define "peerpod.fullname" -}}
{{- default "peerpod" .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}
{{- end -}}
