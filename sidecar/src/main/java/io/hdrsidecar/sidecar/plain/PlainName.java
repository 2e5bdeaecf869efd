package io.hdrsidecar.sidecar.plain;

import io.hdrsidecar.internal.interval.SeriesKey;

/**
 * What a counter or a gauge is called.
 *
 * @param key name and labels; that of a counter without {@code _total}
 * @param help may be empty
 * @param scale by which its values are multiplied
 */
public record PlainName(SeriesKey key, boolean isCounter, String help, double scale) {}
