package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.history.WriteGuard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets readers copy what one thread writes, without ever holding up the writer.
 *
 * <p>The version is odd while the writer is at work and even otherwise. A reader notes an even
 * version, copies, and keeps the copy only if the version is still the same.
 *
 * <p>Why a kept copy is whole: let a reader note the even version {@code v}.
 *
 * <ol>
 *   <li>It sees all writes up to {@code v}: {@link #endWrite} stores {@code v} with release, {@link
 *       #beginRead} loads it with acquire.
 *   <li>Suppose it sees one write of the section that follows. That section stored {@code v+1}
 *       before, and the store fence in {@link #beginWrite} keeps its data stores behind that store.
 *       The acquire fence in {@link #isUnchangedSince} keeps the reader's data loads before its
 *       second load of the version. So that load gives {@code v+1} or later, and the copy is
 *       dropped.
 * </ol>
 *
 * <p>A copy that is dropped may have met anything in between, torn values and half-filled tables
 * included; the reader must not act on it, and survive exceptions.
 *
 * <p>Source: H. Boehm, "Can seqlocks get along with programming language memory models?", MSPC
 * 2012; the fences are those of the Linux kernel's seqlock.
 */
final class SequenceLock implements WriteGuard {
  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(SequenceLock.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long version;

  @Override
  public void beginWrite() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  @Override
  public void endWrite() {
    VERSION.setRelease(this, version + 1);
  }

  /** The version to compare with later. */
  long beginRead() {
    return (long) VERSION.getAcquire(this);
  }

  /** Whether the writer was at work, so that a copy would be in vain. */
  static boolean isWriting(long noted) {
    return (noted & 1) != 0;
  }

  /** Whether everything read since then belongs together. */
  boolean isUnchangedSince(long noted) {
    VarHandle.acquireFence();
    return !isWriting(noted) && (long) VERSION.getOpaque(this) == noted;
  }
}
