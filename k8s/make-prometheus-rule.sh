#!/bin/bash
# Writes prometheus-rule.yaml of cluster, inject/monitoring and fleet-kafka/monitoring: the rules for Prometheus as objects of its
# operator. Kustomize cannot: it neither reads files above its folder nor puts one into a field. Alerts lead to two addresses,
# which are yours to give:
#
#     DOCS_URL=https://git.example.com/hdr-sidecar/docs GRAFANA_URL=https://grafana.example.com k8s/make-prometheus-rule.sh
#
# DOCS_URL is where the folder docs/ is read.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
docs=https://docs.example.com/hdr-sidecar
grafana=https://grafana.example.com

write() { # rules file, name of the object, its file
  cat - <(sed -e '/^#/d' -e 's/^./  &/' -e "s#$docs#${DOCS_URL:-$docs}#" -e "s#$grafana#${GRAFANA_URL:-$grafana}#" \
    "../dashboards/prometheus/$1") >"$3" <<HEAD
# Made of dashboards/prometheus/$1 by make-prometheus-rule.sh; a test compares them.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: $2
  labels:
    app.kubernetes.io/name: $2
spec:
HEAD
}
write hdr-sidecar-rules.yaml hdr-sidecar cluster/prometheus-rule.yaml
write hdr-sidecar-inject-rules.yaml hdr-sidecar-inject inject/monitoring/prometheus-rule.yaml
write hdr-sidecar-fleet-rules.yaml hdr-sidecar-fleet fleet-kafka/monitoring/prometheus-rule.yaml
