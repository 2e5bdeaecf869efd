/**
 * The dashboards and rules of {@code dashboards/}, asked of a real Prometheus as Grafana would ask.
 */
@NullMarked
package io.hdrsidecar.tests.dashboards;

import org.jspecify.annotations.NullMarked;
