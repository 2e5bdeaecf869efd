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
 * Two writers race to create the page table and the same page of an unused recorder. Two equal
 * values at once go to the shared pages, no matter which thread owns values of the stripe.
 */
@JCStressTest
@Outcome(
    id = {"2, 2", "4, 0"},
    expect = Expect.ACCEPTABLE,
    desc = "each pair of values in exactly one harvest")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value on a page that was thrown away")
@State
public class PageCreation {
  private final SeriesRecorder recorder = Recorders.withOneStripe();

  /** Writer. */
  @Actor
  public void one() {
    Recorders.recordTimes(recorder, 1_000, 2);
  }

  /** Writer to the same page, then the sampler. */
  @Actor
  public void otherAndHarvest(II_Result r) {
    Recorders.recordTimes(recorder, 1_001, 2);
    r.r1 = Recorders.count(recorder);
  }

  /** The next harvest. */
  @Arbiter
  public void next(II_Result r) {
    r.r2 = Recorders.count(recorder);
  }
}
