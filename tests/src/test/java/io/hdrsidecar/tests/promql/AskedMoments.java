package io.hdrsidecar.tests.promql;

import java.util.List;
import java.util.stream.LongStream;

/** When a query is asked: once, or at steps. */
record AskedMoments(long firstMillis, int count, long stepMillis) {
  boolean isOne() {
    return count == 1;
  }

  long lastMillis() {
    return firstMillis + (count - 1) * stepMillis;
  }

  /** As a panel asks when it refreshes. */
  AskedMoments aStepLater() {
    return new AskedMoments(firstMillis + stepMillis, count, stepMillis);
  }

  List<Long> all() {
    return LongStream.range(0, count).mapToObj(i -> firstMillis + i * stepMillis).toList();
  }
}
