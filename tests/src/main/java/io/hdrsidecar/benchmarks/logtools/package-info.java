/** How fast the log tools read large logs, beside HistogramLogProcessor. */
@NullMarked
package io.hdrsidecar.benchmarks.logtools;

import org.jspecify.annotations.NullMarked;
