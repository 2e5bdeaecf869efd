/** Values that come by StatsD, from DataDog's own clients. */
@NullMarked
package io.hdrsidecar.tests.statsd;

import org.jspecify.annotations.NullMarked;
