package io.hdrsidecar.stress;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.SeriesRecorder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two writers race to own the values of a stripe, and record, while it is harvested. The first
 * number says how many values there were, the second is their sum.
 */
@JCStressTest
@Outcome(id = "5, 11111", expect = Expect.ACCEPTABLE, desc = "all values, each once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value was lost or harvested twice")
@State
public class Ownership {
  private final SeriesRecorder recorder = Recorders.withOneStripe();
  private final Accumulation total = Recorders.empty();

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
  public void last(JJ_Result r) {
    recorder.harvestInto(total);
    r.r1 = total.count();
    r.r2 = total.sum().low();
  }
}
