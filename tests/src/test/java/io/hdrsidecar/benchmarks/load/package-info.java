@NullMarked
package io.hdrsidecar.benchmarks.load;

import org.jspecify.annotations.NullMarked;
