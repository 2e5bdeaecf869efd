package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.Exemplar;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The slowest value with a trace since the last harvest. Any thread, without a lock. */
final class SlowestTrace {
  private static final VarHandle SLOWEST;

  static {
    try {
      SLOWEST = MethodHandles.lookup().findVarHandle(SlowestTrace.class, "slowest", Exemplar.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile @Nullable Exemplar slowest;

  /**
   * Remembers a value if it is the slowest so far, and its ids are ids.
   *
   * @param value in range
   * @param millis asked for only when it is needed
   */
  void offer(long value, String traceId, String spanId, LongSupplier millis) {
    Exemplar known = slowest;
    if ((known == null || value > known.value()) && Exemplar.areIds(traceId, spanId)) {
      replace(known, value, traceId, spanId, millis);
    }
  }

  private void replace(
      @Nullable Exemplar seen, long value, String traceId, String spanId, LongSupplier millis) {
    try {
      Exemplar mine = new Exemplar(value, Math.max(millis.getAsLong(), 0), traceId, spanId);
      Exemplar known = seen;
      while ((known == null || value > known.value())
          && !SLOWEST.compareAndSet(this, known, mine)) {
        known = slowest;
      }
    } catch (OutOfMemoryError e) {
      // The value is counted all the same; only its example is missing.
    }
  }

  /** Hands it over, and begins anew. */
  @Nullable Exemplar take() {
    return slowest == null ? null : (Exemplar) SLOWEST.getAndSet(this, null);
  }
}
