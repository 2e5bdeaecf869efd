{{/* One webhook is enough for a cluster, so names do not have the release's: that of the chart, unless values say otherwise. */}}
{{- define "hdr-sidecar-inject.name" -}}
{{ default .Chart.Name .Values.nameOverride }}
{{- end }}

{{- define "hdr-sidecar-inject.fullname" -}}
{{ default (include "hdr-sidecar-inject.name" .) .Values.fullnameOverride }}
{{- end }}

{{- define "hdr-sidecar-inject.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/name: {{ include "hdr-sidecar-inject.name" . }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hdr-sidecar
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "hdr-sidecar-inject.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ default .Chart.AppVersion $image.tag }}{{ end }}
{{- end }}

{{/* (list $ file): the text of a file with the names of this release, and its instance in labels and selectors. */}}
{{- define "hdr-sidecar-inject.file" -}}
{{- $root := first . -}}
{{- $fullname := include "hdr-sidecar-inject.fullname" $root -}}
{{- $name := printf "app.kubernetes.io/name: %s" (include "hdr-sidecar-inject.name" $root) -}}
{{- $selected := printf "%s, app.kubernetes.io/instance: %s}" $name (quote $root.Release.Name) -}}
{{ $root.Files.Get (last .) | replace "hdr-sidecar-inject" $fullname | replace (printf "app.kubernetes.io/name: %s}" $fullname) $selected }}
{{- end }}

{{/* (list $ object): the object as a document, with namespace and labels. */}}
{{- define "hdr-sidecar-inject.object" -}}
{{- $root := first . -}}
{{- $object := last . -}}
{{- if ne $object.kind "MutatingWebhookConfiguration" }}{{ $_ := set $object.metadata "namespace" $root.Release.Namespace }}{{ end -}}
{{- $labels := include "hdr-sidecar-inject.labels" $root | fromYaml -}}
{{- $_ := set $object.metadata "labels" (merge (default dict $object.metadata.labels) $labels) }}
---
{{ toYaml $object }}
{{- end }}
