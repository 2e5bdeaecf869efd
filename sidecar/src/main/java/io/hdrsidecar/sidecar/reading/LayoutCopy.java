package io.hdrsidecar.sidecar.reading;

import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SumMinMax;

/** A copy of what a series has counted, each layout apart. One thread at a time. */
public final class LayoutCopy implements CountsReader {
  private LayoutSums sums = new LayoutSums();

  @Override
  public void clear() {
    sums.clear();
  }

  @Override
  public void add(PagedCounts counts, SumMinMax sumMinMax) {
    sums.of(counts.layout()).add(counts, sumMinMax);
  }

  @Override
  public CountsReader another() {
    return new LayoutCopy();
  }

  @Override
  public void takeOver(CountsReader filled) {
    sums = ((LayoutCopy) filled).sums;
  }

  /** What was read last. */
  public LayoutSums sums() {
    return sums;
  }
}
