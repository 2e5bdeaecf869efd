/**
 * Answers of Prometheus' HTTP API: parameters as Prometheus reads them, results as it writes them.
 * Queries are evaluated from the counts of series; nothing here knows HTTP.
 */
@NullMarked
package io.hdrsidecar.sidecar.prometheus;

import org.jspecify.annotations.NullMarked;
