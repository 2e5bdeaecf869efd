/**
 * Names, labels and units of series. Users need these and {@code io.hdrsidecar.client}; what is
 * named {@code internal} changes without notice.
 */
@NullMarked
package io.hdrsidecar.series;

import org.jspecify.annotations.NullMarked;
