/**
 * The metric families in which series are exposed: how they are named, and which series name owns
 * which of them, so that no two share one.
 */
@NullMarked
package io.hdrsidecar.sidecar.families;

import org.jspecify.annotations.NullMarked;
