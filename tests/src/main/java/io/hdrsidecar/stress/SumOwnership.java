package io.hdrsidecar.stress;

import io.hdrsidecar.client.record.SeriesRecorder;
import io.hdrsidecar.interval.Accumulation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two writers race to own the sum of a hot stripe, and add to it, while it is harvested. */
@JCStressTest
@Outcome(id = "1011111", expect = Expect.ACCEPTABLE, desc = "the sum is exact")
@Outcome(expect = Expect.FORBIDDEN, desc = "an addition was lost or harvested twice")
@State
public class SumOwnership {
  private final SeriesRecorder recorder = Recorders.withOneStripe();
  private final Accumulation total = Recorders.empty();

  /** A harvest has found the stripe hot: the next to record to it may own its sum. */
  public SumOwnership() {
    recorder.record(1_000_000);
    recorder.harvestInto(total);
  }

  /** Writer. */
  @Actor
  public void one() {
    recorder.record(1);
    recorder.record(10);
    recorder.record(100);
  }

  /** Writer and sampler in turn. */
  @Actor
  public void otherAndHarvest() {
    recorder.record(1_000);
    recorder.harvestInto(total);
    recorder.record(10_000);
    recorder.harvestInto(total);
  }

  /** The last harvest. */
  @Arbiter
  public void last(J_Result r) {
    recorder.harvestInto(total);
    r.r1 = total.sum().low();
  }
}
