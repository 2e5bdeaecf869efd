/**
 * The sidecar as Prometheus' API: its answers against those of a real Prometheus and against the
 * sorted list of what was recorded, and the real clients that read them.
 */
@NullMarked
package io.hdrsidecar.tests.promql;

import org.jspecify.annotations.NullMarked;
