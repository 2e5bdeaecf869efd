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
 * A large value races with a small one and a harvest: sum, minimum and maximum over both harvests
 * are those of the values, as if nobody had looked meanwhile. Two equal values at once go to the
 * shared pages, no matter which thread owns values of the stripe.
 */
@JCStressTest
@Outcome(id = "10000002008, 1001, 5000000003", expect = Expect.ACCEPTABLE, desc = "exact")
@Outcome(expect = Expect.FORBIDDEN, desc = "a sum or an extreme value is off")
@State
public class SumAndExtremes {
  private static final long SMALL = 1_001;
  private static final long LARGE = 5_000_000_003L;
  private final SeriesRecorder recorder = Recorders.withOneStripe();
  private Accumulation first = Recorders.empty();

  /** Writer; the value has bits above the lowest 32. */
  @Actor
  public void large() {
    Recorders.recordTimes(recorder, LARGE, 2);
  }

  /** Writer, then the sampler. */
  @Actor
  public void smallAndHarvest() {
    Recorders.recordTimes(recorder, SMALL, 2);
    first = Recorders.harvest(recorder);
  }

  /** The next harvest, added to the first. */
  @Arbiter
  public void next(JJJ_Result r) {
    first.add(Recorders.harvest(recorder));
    r.r1 = first.sum().low();
    r.r2 = first.min();
    r.r3 = first.max();
  }
}
