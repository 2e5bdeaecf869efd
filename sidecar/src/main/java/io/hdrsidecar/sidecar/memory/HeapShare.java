package io.hdrsidecar.sidecar.memory;

import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.metric.Metric;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one use may hold of the heap. Bytes are taken before they are allocated, and released when
 * nothing refers to them any more. Any thread; never blocks.
 */
public final class HeapShare {
  private static final long REGION_BYTES = 1 << 20;

  private final Use use;
  private final long maxBytes;
  private final @Nullable HeapShare whole;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong mostHeld = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  HeapShare(Use use, long maxBytes) {
    this(use, maxBytes, null);
  }

  private HeapShare(Use use, long maxBytes, @Nullable HeapShare whole) {
    this.use = use;
    this.maxBytes = maxBytes;
    this.whole = whole;
  }

  /**
   * Takes so many bytes, or none; counts it when there is no room.
   *
   * @param bytes 0 or more
   * @return whether they were taken; then {@link #release} must follow
   */
  public boolean tryTake(long bytes) {
    boolean taken = tryTakeUncounted(bytes);
    if (!taken) {
      countRefused();
    }
    return taken;
  }

  /** One who had asked for room and waited for it was told that there is none. */
  public void countRefused() {
    refused.incrementAndGet();
    if (whole != null) {
      whole.countRefused();
    }
  }

  /** The same for one who waits for room and asks again: not counted as refused. */
  public boolean tryTakeUncounted(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must be at least 0: " + bytes);
    }
    if (whole == null) {
      return takeHere(bytes);
    }
    if (!whole.tryTakeUncounted(bytes)) {
      return false;
    }
    boolean taken = takeHere(bytes);
    if (!taken) {
      whole.release(bytes);
    }
    return taken;
  }

  private boolean takeHere(long bytes) {
    long before = held.get();
    while (bytes <= maxBytes - before) {
      if (held.compareAndSet(before, before + bytes)) {
        mostHeld.accumulateAndGet(before + bytes, Math::max);
        return true;
      }
      before = held.get();
    }
    return false;
  }

  /**
   * Gives bytes back that were taken.
   *
   * @param bytes 0 or more
   * @throws IllegalStateException when more is given back than is held, which is a mistake of ours
   */
  public void release(long bytes) {
    long left = held.addAndGet(-bytes);
    if (bytes < 0 || left < 0) {
      held.addAndGet(bytes);
      throw new IllegalStateException(
          use + ": releases " + bytes + " bytes of " + (left + bytes) + " held");
    }
    if (whole != null) {
      whole.release(bytes);
    }
  }

  /** A part of this one: what is taken of the part is taken of the whole, too. */
  public HeapShare atMost(long bytes) {
    return new HeapShare(use, Math.min(maxBytes, bytes), this);
  }

  /** A claim of nothing yet, for one owner, who closes it. */
  public HeapClaim claim() {
    return new HeapClaim(this);
  }

  /**
   * What an array of so many bytes costs the heap. G1 gives one that is half a region or longer
   * whole regions to itself, of 1 MiB at least, so up to twice its size.
   */
  public static long arrayCost(long bytes) {
    return bytes < REGION_BYTES / 2 - MemoryItem.OBJECT_BYTES
        ? bytes + MemoryItem.OBJECT_BYTES
        : 2 * bytes;
  }

  /** What this is for. */
  public Use use() {
    return use;
  }

  /** Most bytes held at a time. */
  public long maxBytes() {
    return maxBytes;
  }

  /** Bytes that could be taken now, if nobody else took them. */
  public long freeBytes() {
    long here = maxBytes - held.get();
    return whole == null ? here : Math.min(here, whole.freeBytes());
  }

  /** Bytes held now. */
  public long heldBytes() {
    return held.get();
  }

  /** The most that was ever held. */
  public long mostHeldBytes() {
    return mostHeld.get();
  }

  /** How often there was no room. */
  public long refused() {
    return refused.get();
  }

  List<Metric> metrics(String use) {
    return List.of(
        Metric.gauge(
            "heap.share.bytes",
            "Most bytes of the heap that a use may hold",
            this::maxBytes,
            "use",
            use),
        Metric.gauge(
            "heap.share.held.bytes",
            "Bytes of the heap that a use holds now",
            this::heldBytes,
            "use",
            use),
        Metric.gauge(
            "heap.share.peak.bytes",
            "Most bytes of the heap that a use ever held",
            this::mostHeldBytes,
            "use",
            use),
        Metric.counter(
            "heap.share.refused",
            "How often there was no room in the share of the heap of a use",
            this::refused,
            "use",
            use));
  }
}
