#!/bin/bash
# Writes base/prometheus-rule.yaml: the rules for Prometheus as an object of its operator. Kustomize cannot: it neither reads
# files above its folder nor puts one into a field.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
cat - <(sed -e '/^#/d' -e 's/^./  &/' ../dashboards/prometheus/hdr-sidecar-rules.yaml) >base/prometheus-rule.yaml <<'HEAD'
# Made of dashboards/prometheus/hdr-sidecar-rules.yaml by make-prometheus-rule.sh; a test compares them.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: hdr-sidecar
  labels:
    app.kubernetes.io/name: hdr-sidecar
spec:
HEAD
