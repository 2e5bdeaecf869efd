package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.crash.CrashArea;
import io.hdrsidecar.internal.crash.CrashSeries;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Counters in a file that outlives the process, which only rise. The sampler copies a page at once,
 * by plain reads, where {@link SeriesRecorder} asks for volatile ones; a fence behind the swap of
 * the marks stands for their place in the one order of all.
 */
final class MappedStripe extends Stripe {
  private final BucketLayout layout;
  private final CrashSeries series;

  private @Nullable CrashArea area; // the sampler's

  /** Null while the file has no room for them; the sampler's to write. */
  private volatile @Nullable MappedCounts counts;

  private final AtomicBoolean isMaking = new AtomicBoolean();

  MappedStripe(BucketLayout layout, CrashSeries series) {
    this.layout = layout;
    this.series = series;
    this.area = series.shared();
    this.counts = area == null ? null : new MappedCounts(area);
  }

  /** There was no room before; the file may have some by now. */
  private void createCounts() {
    CrashArea created = area == null ? series.shared() : area;
    area = created; // Kept if the heap has no room for the rest: another would stay in the file.
    counts = created == null ? null : new MappedCounts(created);
  }

  /**
   * What one thread has made and another was faster to make stays in the file. So who comes while
   * another makes it shares counters with the others for this value.
   */
  @Override
  @Nullable OwnerSlot createOwned(Thread thread) {
    if (!isMaking.compareAndSet(false, true)) {
      return null;
    }
    try {
      return super.createOwned(thread);
    } finally {
      isMaking.set(false);
    }
  }

  @Override
  @Nullable OwnerSlot newOwned(Thread owner) {
    CrashArea own = hasOwned() ? null : series.owned();
    return own == null ? null : new MappedValues(layout, own, owner);
  }

  @Override
  boolean record(int index, long value, int times, Thread thread) {
    MappedCounts present = counts;
    if (present == null) {
      return false;
    }
    CrashArea shared = present.area();
    int pageIndex = index >>> AtomicPage.BITS;
    int page = shared.page(pageIndex);
    if (page == 0) {
      page = shared.createPage(pageIndex);
      if (page == 0) {
        return false;
      }
    }
    widen(value);
    shared.countShared(page, index, value, times);
    mark(pageIndex, thread);
    return true;
  }

  @Override
  void drainShared(long marks, PagedCounts target, HarvestTally tally) {
    MappedCounts present = counts;
    if (present == null) {
      createCounts();
    } else if (marks != 0) {
      VarHandle.fullFence();
      for (int number = 0; number < present.pages(); number++) {
        if ((marks & pageMark(number)) != 0) {
          present.drain(number, target, tally);
        }
      }
    }
  }

  @Override
  void drainSharedSum(ExactSum target) {
    MappedCounts present = counts;
    if (present != null) {
      present.drainSum(target);
    }
  }

  @Override
  void copyShared(PagedCounts target, HarvestTally tally) {
    MappedCounts present = counts;
    if (present != null) {
      present.copy(target, tally);
    }
  }

  @Override
  void copySharedSum(ExactSum target) {
    MappedCounts present = counts;
    if (present != null) {
      present.copySum(target);
    }
  }

  @Override
  long sharedBytes() {
    MappedCounts present = counts;
    return 24 + 24 + (present == null ? 0 : present.allocatedBytes());
  }
}
