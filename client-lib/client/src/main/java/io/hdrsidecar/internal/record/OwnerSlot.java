package io.hdrsidecar.internal.record;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread at a time, the owner, may put its values without the instructions that several
 * threads need.
 *
 * <p><b>Why there is one owner at a time.</b>
 *
 * <ul>
 *   <li>A thread becomes the owner by compare-and-set where there is none, and only the sampler
 *       ends that, once the thread has terminated. So a live thread that reads itself as the owner
 *       is the owner, and a plain read will do: whatever else it reads, possibly stale, is not
 *       itself. Owners are told apart as objects, so a thread id used again means nothing, and a
 *       virtual thread is as good as another, whichever carrier it runs on.
 *   <li>The next owner continues where the last one ended: all actions of a thread happen before
 *       {@link Thread#isAlive} returns false (JLS 17.4.4), that before the release of the
 *       ownership, that before the compare-and-set which finds it free.
 * </ul>
 */
abstract class OwnerSlot {
  private static final VarHandle OWNER;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(OwnerSlot.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Read plainly by those who record. */
  private @Nullable Thread owner;

  OwnerSlot(Thread owner) {
    this.owner = owner;
  }

  /** Whether the calling thread is the owner. */
  final boolean isOwnedBy(Thread thread) {
    return owner == thread;
  }

  /** Makes the calling thread the owner where there is none. */
  final boolean becomeOwner(Thread thread) {
    return owner == null && OWNER.compareAndSet(this, (Thread) null, thread);
  }

  /** Whether the owner lives; it may have none. Sampler thread only. */
  final boolean isOwnerAlive() {
    Thread known = owner();
    return known != null && known.isAlive();
  }

  /** Lets another thread become the owner when this one has terminated. Sampler thread only. */
  final void releaseDeadOwner() {
    Thread known = owner();
    if (known != null && !known.isAlive()) { // None is none to end: one may just have come.
      OWNER.setRelease(this, (Thread) null); // pairs with the compareAndSet of the next owner
    }
  }

  /** The owner; null for none. Sampler thread only. */
  final @Nullable Thread owner() {
    return (Thread) OWNER.getAcquire(this);
  }

  /**
   * Keeps a value. The owner only.
   *
   * @return false when there was no room, and nothing was kept
   */
  abstract boolean record(long value);

  /** Whether there is nothing left that was not harvested. Sampler thread only. */
  abstract boolean isHarvested();

  /**
   * Moves all counts to {@code target}. Sampler thread only.
   *
   * @throws OutOfMemoryError when the target has no room; what was not moved is still here
   */
  abstract void drainCounts(PagedCounts target, HarvestTally tally);

  /** Moves the sum to {@code target}. Sampler thread only, after the counts. */
  abstract void drainSum(ExactSum target);

  /** Moves the extremes to {@code target}. Sampler thread only, after the counts. */
  abstract void drainExtremes(Extremes target);

  /** Adds a copy of all counts to {@code target}. Any thread but the owner while it records. */
  abstract void copyCounts(PagedCounts target, HarvestTally tally);

  /** Adds a copy of the sum to {@code target}. Any thread, after the counts. */
  abstract void copySum(ExactSum target);

  /** Offers the extremes to {@code target}. Any thread, after the counts. */
  abstract void copyExtremes(Extremes target);

  /** Memory, in bytes, on a JVM with compressed references; any thread, and not of one moment. */
  abstract long allocatedBytes();
}
