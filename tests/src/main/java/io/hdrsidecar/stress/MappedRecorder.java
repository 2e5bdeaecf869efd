package io.hdrsidecar.stress;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.record.SeriesRecorder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * Two writers, one of whom becomes the owner, count in a file while it is harvested: pages, those
 * that say what was framed, and areas are made in a race. Numbers: values in all harvests, their
 * sum, the largest.
 */
@JCStressTest
@Outcome(id = "7, 500001111111, 500000000000", expect = Expect.ACCEPTABLE, desc = "each once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value was lost or harvested twice")
@State
public class MappedRecorder {
  private final SeriesRecorder recorder = Recorders.mapped();
  private final Accumulation total = Recorders.empty();

  /** Writer. */
  @Actor
  public void one() {
    recorder.record(1);
    recorder.record(10);
    recorder.record(100_000);
  }

  /** The other writer and the sampler in turn; the last value needs both halves of a sum. */
  @Actor
  public void otherAndHarvest() {
    recorder.record(1_000);
    recorder.harvestInto(total);
    recorder.record(10_100);
    recorder.record(1_000_000);
    recorder.harvestInto(total);
    recorder.record(500_000_000_000L);
    recorder.harvestInto(total);
  }

  /** The last harvest. */
  @Arbiter
  public void last(JJJ_Result r) {
    recorder.harvestInto(total);
    r.r1 = total.count();
    r.r2 = total.sum().low();
    r.r3 = total.max();
  }
}
