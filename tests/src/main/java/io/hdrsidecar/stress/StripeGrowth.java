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
 * A writer records while another writer records and harvests in turn, which doubles the stripes
 * under the first. First number: values found by all harvests; second: stripes at the end, which
 * tells how often the race was met.
 */
@JCStressTest
@Outcome(id = "16, 1", expect = Expect.ACCEPTABLE, desc = "all values, no harvest met two threads")
@Outcome(
    id = {"16, 2", "16, 4"},
    expect = Expect.ACCEPTABLE,
    desc = "all values, stripes grew under the writers")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value lost or counted twice")
@State
public class StripeGrowth {
  private static final int VALUES = 8;
  private final SeriesRecorder recorder = Recorders.withGrowingStripes();

  /** Writer. */
  @Actor
  public void one() {
    for (int i = 0; i < VALUES; i++) {
      recorder.record(1_000);
    }
  }

  /** Writer and sampler in turn: a harvest grows the stripes, the next ones harvest all of them. */
  @Actor
  public void otherAndHarvest(II_Result r) {
    for (int i = 0; i < VALUES; i++) {
      recorder.record(1_000);
      r.r1 += Recorders.count(recorder);
    }
  }

  /** The last harvest. */
  @Arbiter
  public void last(II_Result r) {
    r.r2 = recorder.stripes();
    r.r1 += Recorders.count(recorder);
  }
}
