package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.charset.StandardCharsets;

/** A number of 64 bits by which name, labels and unit of a series are found in an index: FNV-1a. */
final class SeriesHash {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private long hash = BASIS;

  private SeriesHash() {}

  static long of(SeriesKey key, Unit unit) {
    SeriesHash hash = new SeriesHash();
    hash.add(unit.symbol());
    hash.add(key.name());
    Labels labels = key.labels();
    labels.forEach(
        (name, value) -> {
          hash.add(name);
          hash.add(value);
        });
    return hash.hash;
  }

  private void add(String text) {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * PRIME;
    }
    hash = (hash ^ 0xff) * PRIME; // No text has this byte: it ends one.
  }
}
