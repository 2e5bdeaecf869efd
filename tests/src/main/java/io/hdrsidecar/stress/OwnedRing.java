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
 * An owner goes round its ring more than twice while another thread harvests and looks: who finds
 * the ring full, and who takes from it, race for the token. Numbers: values found by all harvests,
 * their sum, the largest.
 */
@JCStressTest
@Outcome(id = "300, 45150, 300", expect = Expect.ACCEPTABLE, desc = "all values, each once")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value was lost, read twice or overwritten")
@State
public class OwnedRing {
  private static final int VALUES = 300;
  private final SeriesRecorder recorder = Recorders.withOneStripe();
  private final Accumulation total = Recorders.empty();
  private final Accumulation look = Recorders.empty();

  /** Writer. */
  @Actor
  public void owner() {
    for (int value = 1; value <= VALUES; value++) {
      recorder.record(value);
    }
  }

  /** Sampler, who looks in between: that takes the token and nothing else. */
  @Actor
  public void harvest() {
    recorder.harvestInto(total);
    recorder.snapshotInto(look);
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
