{{/* One fleet is enough for a namespace, so names do not have the release's: that of the chart, unless values say otherwise. */}}
{{- define "hdr-sidecar-fleet.name" -}}
{{ default .Chart.Name .Values.nameOverride }}
{{- end }}

{{- define "hdr-sidecar-fleet.fullname" -}}
{{ default (include "hdr-sidecar-fleet.name" .) .Values.fullnameOverride }}
{{- end }}

{{- define "hdr-sidecar-fleet.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 }}
app.kubernetes.io/name: {{ include "hdr-sidecar-fleet.name" . }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hdr-sidecar
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "hdr-sidecar-fleet.image" -}}
{{- $image := .Values.image -}}
{{ $image.repository }}{{ if $image.digest }}@{{ $image.digest }}{{ else }}:{{ default .Chart.AppVersion $image.tag }}{{ end }}
{{- end }}

{{/* (list $ file): the text of a file with the names of this release, and its instance in labels and selectors. Folders keep
     their names. */}}
{{- define "hdr-sidecar-fleet.file" -}}
{{- $root := first . -}}
{{- $label := "app.kubernetes.io/name: hdr-sidecar-fleet" -}}
{{- $selected := printf "app.kubernetes.io/name: %s, app.kubernetes.io/instance: %s" (include "hdr-sidecar-fleet.name" $root) (quote $root.Release.Name) -}}
{{- $text := $root.Files.Get (last .) | replace $label "<label>" | replace "/etc/hdr-sidecar-fleet" "<folder>" -}}
{{ $text | replace "hdr-sidecar-fleet" (include "hdr-sidecar-fleet.fullname" $root) | replace "<folder>" "/etc/hdr-sidecar-fleet" | replace "<label>" $selected }}
{{- end }}

{{/* (list $ object): the object as a document, with namespace and labels. */}}
{{- define "hdr-sidecar-fleet.object" -}}
{{- $root := first . -}}
{{- $object := last . -}}
{{- $_ := set $object.metadata "namespace" (default $root.Release.Namespace $object.metadata.namespace) -}}
{{- $labels := include "hdr-sidecar-fleet.labels" $root | fromYaml -}}
{{- $_ := set $object.metadata "labels" (merge (default dict $object.metadata.labels) $labels) }}
---
{{ toYaml $object }}
{{- end }}

{{/* (list $ file): all objects of a file, as they are. */}}
{{- define "hdr-sidecar-fleet.objects" -}}
{{- $root := first . -}}
{{- range splitList "\n---\n" (include "hdr-sidecar-fleet.file" .) }}
{{- include "hdr-sidecar-fleet.object" (list $root (fromYaml .)) }}
{{- end }}
{{- end }}

{{/* (list $ workload values secrets): the workload with image, resources, settings and names of Secrets by volume. */}}
{{- define "hdr-sidecar-fleet.workload" -}}
{{- $root := index . 0 -}}
{{- $workload := index . 1 -}}
{{- $values := index . 2 -}}
{{- $secrets := index . 3 -}}
{{- $pod := $workload.spec.template.spec -}}
{{- range $field := list "imagePullSecrets" "priorityClassName" "tolerations" "nodeSelector" -}}
{{- with index $root.Values $field }}{{ $_ := set $pod $field . }}{{ end -}}
{{- end -}}
{{- $_ := set $pod "terminationGracePeriodSeconds" (int $values.terminationGracePeriodSeconds) -}}
{{- range $pod.volumes -}}
{{- if .secret }}{{ $_ := set .secret "secretName" (index $secrets .name) }}{{ end -}}
{{- end -}}
{{- $container := first $pod.containers -}}
{{- $_ := set $container "image" (include "hdr-sidecar-fleet.image" $root) -}}
{{- with $root.Values.image.pullPolicy }}{{ $_ := set $container "imagePullPolicy" . }}{{ end -}}
{{- $_ := set $container "resources" $values.resources -}}
{{- $env := list -}}
{{- range $container.env -}}
{{- if not (hasKey $values.env .name) }}{{ $env = append $env . }}{{ end -}}
{{- end -}}
{{- range $name, $value := $values.env }}{{ $env = append $env (dict "name" $name "value" (toString $value)) }}{{ end -}}
{{- $_ := set $container "env" $env -}}
{{- include "hdr-sidecar-fleet.object" (list $root $workload) }}
{{- end }}
