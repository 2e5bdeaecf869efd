/**
 * End-to-end tests: real processes, real sockets, a real Prometheus.
 *
 * <p>Input: the runnable jar that {@code mvn package} built. Each test starts what it needs on free
 * ports, waits for conditions and not for time, and compares with numbers that do not come from
 * this project: raw lists, HdrHistogram, Prometheus.
 */
@NullMarked
package io.hdrsidecar.tests;

import org.jspecify.annotations.NullMarked;
