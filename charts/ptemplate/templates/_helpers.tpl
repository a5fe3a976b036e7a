{{- define "ptemplate-operator.fullname" -}}
{{- default "ptemplate-operator" .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}
