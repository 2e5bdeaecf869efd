package io.hdrsidecar.sidecar.plain;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counters and gauges that come from one source, with a limit and a part of the heap of their own.
 * One thread at a time, which is the only one that changes them.
 */
public final class PlainSource {
  /** A part of what the source may hold at most, so that the rest of it has room. */
  private static final int PART = 4;

  private final PlainFamilies families;
  private final String from;
  private final int most;
  private final HeapClaim claim;
  private final long mostBytes;
  private long bytes;
  private final AtomicInteger size = new AtomicInteger();

  PlainSource(PlainFamilies families, String from, int most, HeapClaim claim) {
    this.families = families;
    this.from = from;
    this.most = most;
    this.claim = claim;
    this.mostBytes = claim.roomBytes() / PART;
  }

  /**
   * The one of this name, which may be new.
   *
   * @param nowMillis since the epoch
   * @throws RefusedPlainException when there is none, and may be none
   */
  public PlainSeries find(PlainName name, long nowMillis) throws RefusedPlainException {
    return families.find(this, name, nowMillis);
  }

  /** The one of this name that there is; null for none of this source. */
  public @Nullable PlainSeries known(PlainName name) {
    return families.known(this, name);
  }

  /** It is not shown any more; if it comes again it begins at 0. */
  public void end(PlainSeries ended) {
    families.end(ended);
  }

  /**
   * Ends those that nobody has sent for so long, and those whose name a series has taken.
   *
   * @param nowMillis since the epoch
   */
  public void expire(long nowMillis) {
    families.expire(this, nowMillis);
  }

  /** How many there are. Any thread. */
  public int size() {
    return size.get();
  }

  /** What they come by, for people. */
  String from() {
    return from;
  }

  boolean isFull() {
    return size.get() >= most;
  }

  /** How many there may be. */
  int most() {
    return most;
  }

  /** Whether there was memory for one more. */
  boolean tryAdd(long more) {
    if (bytes + more > mostBytes || claim.roomBytes() < more || !claim.tryGrow(more)) {
      return false;
    }
    bytes += more;
    size.incrementAndGet();
    return true;
  }

  void removed(long less) {
    bytes -= less;
    size.decrementAndGet();
    claim.shrink(less);
  }
}
