/** Values that come by StatsD: DataDog's own clients, floods, and a sidecar that takes none. */
@NullMarked
package io.hdrsidecar.tests.statsd;

import org.jspecify.annotations.NullMarked;
