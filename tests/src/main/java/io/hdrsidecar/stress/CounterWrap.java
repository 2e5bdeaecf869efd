package io.hdrsidecar.stress;

import io.hdrsidecar.internal.record.SeriesRecorder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A writer takes a counter over the sign bit of an int, and on to the last value an unsigned int
 * has, 4,294,967,295, while a harvest swaps it. Several equal values at once go to the shared
 * pages.
 */
@JCStressTest
@Outcome(
    id = {"4294967295, 0", "2147483649, 2147483646", "2147483647, 2147483648"},
    expect = Expect.ACCEPTABLE,
    desc = "every value in exactly one harvest")
@Outcome(expect = Expect.FORBIDDEN, desc = "a counter taken for negative")
@State
public class CounterWrap {
  private final SeriesRecorder recorder = Recorders.withOneStripe();

  /** 2^31 - 1 values are there already. */
  public CounterWrap() {
    Recorders.recordTimes(recorder, 1_000, Integer.MAX_VALUE);
  }

  /** Writer: over the sign bit, then to the last value. */
  @Actor
  public void record() {
    Recorders.recordTimes(recorder, 1_000, 2);
    Recorders.recordTimes(recorder, 1_000, Integer.MAX_VALUE - 1);
  }

  /** Sampler. */
  @Actor
  public void harvest(JJ_Result r) {
    r.r1 = Recorders.harvest(recorder).count();
  }

  /** The next harvest. */
  @Arbiter
  public void next(JJ_Result r) {
    r.r2 = Recorders.harvest(recorder).count();
  }
}
