/**
 * The stated upper bound of memory: what each stage may hold at most, as its configuration says.
 *
 * <p>Input: lists of {@link io.hdrsidecar.sidecar.memory.MemoryItem}s, one list from each stage
 * that holds anything that grows. Output: their sum, for {@code /api/v1/status}, the metrics and
 * the log. Nothing is measured here.
 */
@NullMarked
package io.hdrsidecar.sidecar.memory;

import org.jspecify.annotations.NullMarked;
