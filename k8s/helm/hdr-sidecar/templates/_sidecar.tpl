{{/*
What a workload of another chart needs, each from the same files as the kustomize component. In its pod template:

    metadata:
      labels: {{- include "hdr-sidecar.podLabels" $ | nindent 8 }}
    spec: {{- include "hdr-sidecar.podSpec" (dict "root" $ "spec" $yourPodSpec) | nindent 6 }}

where $yourPodSpec is a dict, whose first container is taken for the application. Where this chart is a dependency, the root is
(index .Subcharts "hdr-sidecar") in place of $, since files and values are those of this chart.
*/}}


{{- define "hdr-sidecar.podLabels" -}}
{{ (.Files.Get "files/sidecar.yaml" | fromYaml).spec.template.metadata.labels | toYaml }}
{{- end }}

{{- define "hdr-sidecar.podAnnotations" -}}
{{- if .Values.annotations }}
prometheus.io/scrape: "true"
prometheus.io/port: "9925"
prometheus.io/path: /metrics
{{- end }}
{{- end }}

{{/* What makes a pod safe for crashes, of the same form as a pod's spec; empty unless the values want it. */}}
{{- define "hdr-sidecar.crashSafe" -}}
{{- if .Values.sidecar.crashSafe.enabled -}}
{{- $spec := (.Files.Get "files/crash-safe.yaml" | fromYaml).spec.template.spec -}}
{{- $_ := set (first $spec.volumes).emptyDir "sizeLimit" .Values.sidecar.crashSafe.sizeLimit -}}
{{ toYaml $spec }}
{{- end }}
{{- end }}

{{/* What makes its sidecar hand on, of the same form; empty unless the values want it. */}}
{{- define "hdr-sidecar.upstream" -}}
{{- if .Values.sidecar.upstream.enabled -}}
{{- $spec := (.Files.Get "files/upstream.yaml" | fromYaml).spec.template.spec -}}
{{- $_ := set (first (first $spec.initContainers).env) "value" .Values.sidecar.upstream.address -}}
{{- $_ := set (first $spec.volumes).secret "secretName" .Values.sidecar.upstream.secret -}}
{{ toYaml $spec }}
{{- end }}
{{- end }}

{{/* What makes its sidecar take StatsD, of the same form; empty unless the values want it. */}}
{{- define "hdr-sidecar.statsd" -}}
{{- if .Values.sidecar.statsd.enabled -}}
{{ (.Files.Get "files/statsd.yaml" | fromYaml).spec.template.spec | toYaml }}
{{- end }}
{{- end }}

{{/* What makes its sidecar take OTLP, of the same form; empty unless the values want it. */}}
{{- define "hdr-sidecar.otlp" -}}
{{- if .Values.sidecar.otlp.enabled -}}
{{ (.Files.Get "files/otlp.yaml" | fromYaml).spec.template.spec | toYaml }}
{{- end }}
{{- end }}

{{/* The sidecar as a container, with what the values change. */}}
{{- define "hdr-sidecar.container" -}}
{{- $values := .Values.sidecar -}}
{{- $container := index (.Files.Get "files/sidecar.yaml" | fromYaml).spec.template.spec.initContainers 0 -}}
{{- $_ := set $container "image" (printf "%s:%s" $values.image.repository (default .Chart.AppVersion $values.image.tag)) -}}
{{- with $values.image.digest }}{{ $_ := set $container "image" (printf "%s@%s" $values.image.repository .) }}{{ end -}}
{{- with $values.image.pullPolicy }}{{ $_ := set $container "imagePullPolicy" . }}{{ end -}}
{{- $_ := set $container "resources" $values.resources -}}
{{- if $values.runAsUser -}}
{{- $_ := set $container.securityContext "runAsUser" (int $values.runAsUser) -}}
{{- else -}}
{{- range list "runAsUser" "runAsGroup" }}{{ $_ := unset $container.securityContext . }}{{ end -}}
{{- end -}}
{{- with (include "hdr-sidecar.crashSafe" . | fromYaml).initContainers -}}
{{- $_ := set $container "env" (concat (first .).env $container.env) -}}
{{- $_ := set $container "volumeMounts" (concat (first .).volumeMounts $container.volumeMounts) -}}
{{- end -}}
{{- with (include "hdr-sidecar.upstream" . | fromYaml).initContainers -}}
{{- $_ := set $container "env" (concat (first .).env $container.env) -}}
{{- $_ := set $container "volumeMounts" (concat (first .).volumeMounts $container.volumeMounts) -}}
{{- end -}}
{{- with (include "hdr-sidecar.statsd" . | fromYaml).initContainers -}}
{{- $_ := set $container "env" (concat (first .).env $container.env) -}}
{{- end -}}
{{- with (include "hdr-sidecar.otlp" . | fromYaml).initContainers -}}
{{- $_ := set $container "env" (concat (first .).env $container.env) -}}
{{- end -}}
{{- $env := list -}}
{{- range $container.env -}}
{{- if not (hasKey $values.env .name) }}{{ $env = append $env . }}{{ end -}}
{{- end -}}
{{/* Those with a source first: $(NAME) in a value means what stands before it. */ -}}
{{- range $name, $value := $values.env -}}
{{- if kindIs "map" $value }}{{ $env = append $env (dict "name" $name "valueFrom" $value) }}{{ end -}}
{{- end -}}
{{- range $name, $value := $values.env -}}
{{- if not (kindIs "map" $value) }}{{ $env = append $env (dict "name" $name "value" (toString $value)) }}{{ end -}}
{{- end -}}
{{- $_ := set $container "env" $env -}}
{{- $_ := set $container "volumeMounts" (concat $container.volumeMounts $values.extraVolumeMounts) -}}
{{- if not $values.native }}{{ $_ := unset $container "restartPolicy" }}{{ end -}}
{{ toYaml $container }}
{{- end }}

{{/* Its volumes, as a list. */}}
{{- define "hdr-sidecar.volumes" -}}
{{- $volumes := (.Files.Get "files/sidecar.yaml" | fromYaml).spec.template.spec.volumes -}}
{{- range $volumes -}}
{{- if .configMap }}{{ $_ := set .configMap "name" (include "hdr-sidecar.configMap" $) }}{{ end -}}
{{- end -}}
{{- $crash := default list (include "hdr-sidecar.crashSafe" . | fromYaml).volumes -}}
{{- $upstream := default list (include "hdr-sidecar.upstream" . | fromYaml).volumes -}}
{{ toYaml (concat $upstream $crash $volumes .Values.sidecar.extraVolumes) }}
{{- end }}

{{- define "hdr-sidecar.podSpec" -}}
{{- $values := .root.Values.sidecar -}}
{{- $drain := toString (dig "HDR_SIDECAR_DRAIN" "30s" $values.env) -}}
{{- $unit := regexFind "(ms|s|m|h|d)$" $drain -}}
{{- $seconds := mulf (regexFind "^[0-9]+" $drain) (get (dict "ms" 0.001 "s" 1 "m" 60 "h" 3600 "d" 86400) $unit | default 0) | ceil | int64 -}}
{{- $least := add 5 $seconds -}}
{{- if and $values.terminationGracePeriodSeconds (lt (int64 $values.terminationGracePeriodSeconds) $least) -}}
{{- fail (printf "sidecar.terminationGracePeriodSeconds: %v, must be at least %d: HDR_SIDECAR_DRAIN is %s, and the application's time comes on top" $values.terminationGracePeriodSeconds $least $drain) -}}
{{- end -}}
{{- $kubernetes := .root.Capabilities.KubeVersion.Version -}}
{{- if and $values.native (semverCompare "<1.29.0-0" $kubernetes) -}}
{{- fail (printf "sidecar.native: needs Kubernetes 1.29 and this is %s; set it to false" $kubernetes) -}}
{{- end -}}
{{- $spec := deepCopy .spec -}}
{{- $client := .root.Files.Get "files/client.yaml" | fromYaml -}}
{{- $app := first $spec.containers -}}
{{- $_ := set $app "env" (concat (default list $app.env) $client.env) -}}
{{- $_ := set $app "volumeMounts" (concat (default list $app.volumeMounts) $client.volumeMounts) -}}
{{/* The application has the folder at the same place. */}}
{{- with (include "hdr-sidecar.crashSafe" .root | fromYaml).initContainers -}}
{{- $_ := set $app "env" (concat $app.env (first .).env) -}}
{{- $_ := set $app "volumeMounts" (concat $app.volumeMounts (first .).volumeMounts) -}}
{{- end -}}
{{/* The socket comes first in the file, and is at the same place, too. */}}
{{- with (include "hdr-sidecar.statsd" .root | fromYaml).initContainers -}}
{{- $url := printf "unix://%s" (first (first .).env).value -}}
{{- $_ := set $app "env" (append $app.env (dict "name" "DD_DOGSTATSD_URL" "value" $url)) -}}
{{- end -}}
{{- if $values.otlp.enabled -}}
{{- range .root.Files.Get "files/otlp-application.yaml" | fromYamlArray -}}
{{- $_ := set $app "env" (append $app.env .value) -}}
{{- end -}}
{{- end -}}
{{- $sidecar := include "hdr-sidecar.container" .root | fromYaml -}}
{{- if $values.native -}}
{{- $_ := set $spec "initContainers" (prepend (default list $spec.initContainers) $sidecar) -}}
{{- else -}}
{{- $_ := set $spec "containers" (append $spec.containers $sidecar) -}}
{{- end -}}
{{- $_ := set $spec "volumes" (concat (default list $spec.volumes) (include "hdr-sidecar.volumes" .root | fromYamlArray)) -}}
{{- with .root.Values.imagePullSecrets -}}
{{- $_ := set $spec "imagePullSecrets" (concat (default list $spec.imagePullSecrets) . | uniq) -}}
{{- end -}}
{{- with $values.terminationGracePeriodSeconds }}{{ $_ := set $spec "terminationGracePeriodSeconds" (int .) }}{{ end -}}
{{- with $values.fsGroup }}{{ $_ := set $spec "securityContext" (merge (dict "fsGroup" (int .) "fsGroupChangePolicy" "OnRootMismatch") (default dict $spec.securityContext)) }}{{ end -}}
{{ toYaml $spec }}
{{- end }}
