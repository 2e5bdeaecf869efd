package io.hdrsidecar.client;

/**
 * A call whose time is measured: a {@link java.util.concurrent.Callable} that says which exception
 * it throws, so that {@link LatencyRecorder#time(TimedCall)} asks nobody to catch what cannot come.
 *
 * <p>It runs once, on the thread that calls that method, which hands on whatever it throws.
 *
 * @param <T> what it returns
 * @param <E> the checked exception it may throw; inferred as RuntimeException when there is none
 */
@FunctionalInterface
public interface TimedCall<T, E extends Exception> {
  /** Does the work. */
  T call() throws E;
}
