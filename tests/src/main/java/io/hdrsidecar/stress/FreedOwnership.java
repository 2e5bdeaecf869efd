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
 * A writer takes the place of an owner that has ended, while the sampler looks for dead owners; if
 * that took the place away again, the sampler's own thread could write beside it. The first number
 * says how many values there were, the second is their sum.
 */
@JCStressTest
@Outcome(id = "5, 11111", expect = Expect.ACCEPTABLE, desc = "all values, each once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value was lost or harvested twice")
@State
public class FreedOwnership {
  private final SeriesRecorder recorder = Recorders.withOneStripe();
  private final Accumulation total = Recorders.empty();

  /** An owner, which ends and is found dead: nobody owns the values that are there. */
  public FreedOwnership() {
    Thread owner = new Thread(() -> recorder.record(7));
    owner.start();
    try {
      owner.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    recorder.harvestInto(Recorders.empty());
  }

  /** Writer. */
  @Actor
  public void one() {
    recorder.record(1);
    recorder.record(10);
    recorder.record(100);
  }

  /** Sampler and writer in turn. */
  @Actor
  public void harvestAndOther() {
    recorder.harvestInto(total);
    recorder.record(1_000);
    recorder.record(10_000);
  }

  /** The last harvest. */
  @Arbiter
  public void last(JJ_Result r) {
    recorder.harvestInto(total);
    r.r1 = total.count();
    r.r2 = total.sum().low();
  }
}
