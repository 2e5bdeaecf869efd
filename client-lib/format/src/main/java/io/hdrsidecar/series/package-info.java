/**
 * What series are called and measured in: labels and units. Users need these and {@code
 * io.hdrsidecar.client}; what is named {@code internal} changes without notice.
 */
@NullMarked
package io.hdrsidecar.series;

import org.jspecify.annotations.NullMarked;
