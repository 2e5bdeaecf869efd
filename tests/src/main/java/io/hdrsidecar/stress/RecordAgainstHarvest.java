package io.hdrsidecar.stress;

import io.hdrsidecar.internal.record.SeriesRecorder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A writer races with a harvest for one counter that holds a count and whose page is marked: the
 * next harvest has what the first has not. Two equal values at once go to the shared pages, no
 * matter which thread owns values of the stripe.
 */
@JCStressTest
@Outcome(
    id = {"2, 2", "4, 0"},
    expect = Expect.ACCEPTABLE,
    desc = "each pair of values in exactly one harvest")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value lost, counted twice or left behind")
@State
public class RecordAgainstHarvest {
  private final SeriesRecorder recorder = Recorders.withOneStripe();

  /** One value is there already. */
  public RecordAgainstHarvest() {
    Recorders.recordTimes(recorder, 1_000, 2);
  }

  /** Writer. */
  @Actor
  public void record() {
    Recorders.recordTimes(recorder, 1_000, 2);
  }

  /** Sampler. */
  @Actor
  public void harvest(II_Result r) {
    r.r1 = Recorders.count(recorder);
  }

  /** The next harvest. */
  @Arbiter
  public void next(II_Result r) {
    r.r2 = Recorders.count(recorder);
  }
}
