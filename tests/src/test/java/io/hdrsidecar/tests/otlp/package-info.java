/** Exporters of OpenTelemetry against a real sidecar. */
@NullMarked
package io.hdrsidecar.tests.otlp;

import org.jspecify.annotations.NullMarked;
