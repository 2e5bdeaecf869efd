/**
 * The alerts that are shipped, live: real sidecars and a real webhook in trouble, watched by a real
 * Prometheus with the rules of {@code dashboards/prometheus}, made faster by one factor.
 */
@NullMarked
package io.hdrsidecar.tests.alerts;

import org.jspecify.annotations.NullMarked;
