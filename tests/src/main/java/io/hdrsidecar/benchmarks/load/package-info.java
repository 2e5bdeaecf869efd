/**
 * The sidecar as a process of its own under real load: what an interval costs it through a real
 * socket, what ten thousand series cost it, what memory it takes, how long it takes to start, and
 * where the time goes. Feeders are processes, too, and send intervals that were encoded before.
 */
@NullMarked
package io.hdrsidecar.benchmarks.load;

import org.jspecify.annotations.NullMarked;
