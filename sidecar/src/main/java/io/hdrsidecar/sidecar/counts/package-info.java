/**
 * What intervals counted: as they arrive, packed, and added up to distributions that are read. One
 * writer or one reader at a time; nothing here knows series.
 */
@NullMarked
package io.hdrsidecar.sidecar.counts;

import org.jspecify.annotations.NullMarked;
