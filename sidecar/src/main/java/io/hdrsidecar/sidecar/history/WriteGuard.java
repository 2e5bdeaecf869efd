package io.hdrsidecar.sidecar.history;

/** Keeps readers from taking what the writer has in hand. Writer only; sections do not nest. */
public interface WriteGuard {
  /** What follows must not be kept by readers. */
  void beginWrite();

  /** What was written is whole again. */
  void endWrite();
}
