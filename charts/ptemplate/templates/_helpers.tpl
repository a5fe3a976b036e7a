{{- define "ptemplate-operator.fullname" -}}
{{- default "ptemplate-operator" .Values.fullnameOverride | trunc 28 | trimSuffix "-" -}}
{{- end -}}
