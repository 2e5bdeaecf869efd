{{/* One of these is enough for a cluster, so names do not have the release's. */}}
{{- define "hdr-sidecar-monitoring.fullname" -}}
{{ coalesce .Values.fullnameOverride .Values.nameOverride "hdr-sidecar" }}
{{- end }}

{{- define "hdr-sidecar-monitoring.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hdr-sidecar
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* (list $ name labels): metadata of an object. */}}
{{- define "hdr-sidecar-monitoring.metadata" -}}
name: {{ index . 1 }}
namespace: {{ (first .).Release.Namespace }}
labels:
  {{- merge (deepCopy (last .)) (include "hdr-sidecar-monitoring.labels" (first .) | fromYaml) | toYaml | nindent 2 }}
{{- end }}
