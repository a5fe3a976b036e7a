{{- define "peerpod.fullname" -}}
{{- default "peerpod" .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}
