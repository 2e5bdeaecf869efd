package io.hdrsidecar.sidecar.evaluation;

import io.hdrsidecar.internal.interval.Figures;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.sidecar.reading.CountsReader;
import io.hdrsidecar.sidecar.reading.LayoutSums;

/** A copy of what a series has counted since start, each layout apart. */
final class TotalCopy implements CountsReader {
  private LayoutSums sums = new LayoutSums();

  @Override
  public void clear() {
    sums.clear();
  }

  @Override
  public void add(PagedCounts counts, Figures figures) {
    sums.of(counts.layout()).add(counts, figures);
  }

  @Override
  public CountsReader another() {
    return new TotalCopy();
  }

  @Override
  public void takeOver(CountsReader filled) {
    sums = ((TotalCopy) filled).sums;
  }

  LayoutSums sums() {
    return sums;
  }
}
