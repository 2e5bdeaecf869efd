/**
 * Answers of Prometheus' HTTP API: parameters as Prometheus reads them, results as it writes them.
 * What they say is evaluated from what series counted; nothing here knows HTTP.
 */
@NullMarked
package io.hdrsidecar.sidecar.prometheus;

import org.jspecify.annotations.NullMarked;
