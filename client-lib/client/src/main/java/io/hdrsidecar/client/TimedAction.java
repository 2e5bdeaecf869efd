package io.hdrsidecar.client;

/**
 * An action whose time is measured: a {@link Runnable} that says which exception it throws.
 *
 * <p>It runs once, on the thread that calls {@link LatencyRecorder#time(TimedAction)}, which hands
 * on whatever it throws.
 *
 * @param <E> the checked exception it may throw; inferred as RuntimeException when there is none
 */
@FunctionalInterface
public interface TimedAction<E extends Exception> {
  /** Does the work. */
  void run() throws E;
}
