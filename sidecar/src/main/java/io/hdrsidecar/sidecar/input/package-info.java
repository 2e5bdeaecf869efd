/**
 * Files that operators name, and YAML: read whole, within a limit, with one sentence for each way
 * in which that can fail.
 */
@NullMarked
package io.hdrsidecar.sidecar.input;

import org.jspecify.annotations.NullMarked;
