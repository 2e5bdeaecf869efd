{{/* What a namespace has is there once, so names do not have the release's: that of the chart, unless values say otherwise. */}}
{{- define "hdr-sidecar.name" -}}
{{ default .Chart.Name .Values.nameOverride }}
{{- end }}

{{- define "hdr-sidecar.fullname" -}}
{{ default (include "hdr-sidecar.name" .) .Values.fullnameOverride }}
{{- end }}

{{- define "hdr-sidecar.configMap" -}}
{{ default (include "hdr-sidecar.fullname" .) .Values.sidecar.configMap }}
{{- end }}

{{- define "hdr-sidecar.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/name: {{ include "hdr-sidecar.name" . }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hdr-sidecar
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* (list $ object): the object as a document, with namespace and labels; those that it has stay. */}}
{{- define "hdr-sidecar.object" -}}
{{- $object := last . -}}
{{- $_ := set $object.metadata "namespace" (first .).Release.Namespace -}}
{{- $labels := include "hdr-sidecar.labels" (first .) | fromYaml -}}
{{- $_ := set $object.metadata "labels" (merge (default dict $object.metadata.labels) $labels) }}
---
{{ toYaml $object }}
{{- end }}
