@NullMarked
package io.hdrsidecar.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
