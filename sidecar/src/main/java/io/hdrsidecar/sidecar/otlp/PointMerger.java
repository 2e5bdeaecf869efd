package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges a few points at a time on the merge context, and waits for it; so frames of clients hardly
 * wait. One thread at a time calls it.
 */
final class PointMerger {
  /** Far below a millisecond of the merge context, as with other sources. */
  static final int SLICE = 64;

  private final SeriesStore store;
  private final Executor mergeContext;
  private final Consumer<Runnable> later;
  private final int finestScale;
  private final DecodedHistogram decoded = new DecodedHistogram();

  /**
   * Merges into a store.
   *
   * @param later runs a task some milliseconds later, on any thread
   * @param finestScale of base-2 buckets that is kept
   */
  PointMerger(SeriesStore store, Executor mergeContext, Consumer<Runnable> later, int finestScale) {
    this.store = store;
    this.mergeContext = mergeContext;
    this.later = later;
    this.finestScale = finestScale;
  }

  /** Whether the journal takes nothing at the moment. Blocks. */
  boolean isFull() throws InterruptedException {
    CompletableFuture<Boolean> full = new CompletableFuture<>();
    mergeContext.execute(() -> full.complete(store.log().isFull()));
    return done(full);
  }

  /**
   * Merges them, in order. Blocks; waits while the journal is full.
   *
   * @return for each why it was refused, or null
   */
  List<@Nullable RefusedException> merge(List<OtlpInterval> intervals) throws InterruptedException {
    CompletableFuture<List<@Nullable RefusedException>> merged = new CompletableFuture<>();
    mergeContext.execute(() -> mergeNow(intervals, merged));
    return done(merged);
  }

  private static <T> T done(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("points of OTLP could not be merged", e.getCause());
    }
  }

  private void mergeNow(
      List<OtlpInterval> intervals, CompletableFuture<List<@Nullable RefusedException>> merged) {
    if (store.log().isFull()) {
      later.accept(() -> mergeContext.execute(() -> mergeNow(intervals, merged)));
      return;
    }
    try {
      List<@Nullable RefusedException> refused = new ArrayList<>();
      for (OtlpInterval interval : intervals) {
        refused.add(merge(interval));
      }
      merged.complete(refused);
    } catch (RuntimeException | Error e) {
      merged.completeExceptionally(e);
      throw e;
    }
  }

  private @Nullable RefusedException merge(OtlpInterval interval) {
    try {
      int scale = Math.min(interval.scale(), finestScale);
      while (!tryMerge(interval, scale)) {
        scale--;
      }
      return null;
    } catch (RefusedException e) {
      store.countRejected(e.reason());
      return e;
    }
  }

  /**
   * Where a series has as many layouts as it may, a coarser scale may be among them: all edges of
   * that are edges of this one.
   *
   * @return false to be tried with a coarser scale
   */
  private boolean tryMerge(OtlpInterval interval, int scale) throws RefusedException {
    SeriesDefinition definition = interval.definition(scale);
    try {
      var series = store.register(definition);
      interval.fill(decoded, definition, scale);
      store.merge(
          series,
          decoded,
          interval.startMillis(),
          interval.endMillis(),
          interval.sumMinMax(decoded),
          interval.exemplar());
      return true;
    } catch (RefusedException e) {
      boolean mayHelp =
          interval.isBase2()
              && e.reason() == RejectReason.CONFIGURATION_LIMIT
              && scale > Base2Buckets.COARSEST;
      if (mayHelp) {
        return false;
      }
      throw e;
    }
  }
}
