/**
 * The heap as a budget: what each use may hold, taken before it is allocated, and the stated upper
 * bound of memory.
 *
 * <p>Input: the size of the heap ({@link io.hdrsidecar.sidecar.memory.HeapBudget}), and lists of
 * {@link io.hdrsidecar.sidecar.memory.MemoryItem}s from the stages. Output: bytes, or none, to
 * those who ask for them, and the sum of the items, for {@code /api/v1/status}, the metrics and the
 * log. Nothing is measured here.
 */
@NullMarked
package io.hdrsidecar.sidecar.memory;

import org.jspecify.annotations.NullMarked;
