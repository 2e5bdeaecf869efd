/** What the end-to-end tests share: processes and their output, waiting, HTTP, Prometheus. */
@NullMarked
package io.hdrsidecar.tests.support;

import org.jspecify.annotations.NullMarked;
