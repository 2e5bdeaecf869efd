package io.hdrsidecar.fleet.route;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.query.QueryTurn;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.sla.JudgedSeries;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The series of all nodes, which the node with the first partition judges. Kafka gives a partition
 * to one node at a time, and what that one has not is asked of the others; so there is one judge,
 * of all, or there is none while partitions move.
 */
public final class JudgedFleet implements JudgedSeries, AutoCloseable {
  /** Each fleet has it. */
  private static final int FIRST_PARTITION = 0;

  private final FleetSeriesSource source;
  private final FleetSeriesSource.Placement placement;
  private final QueryScope here;
  private final HeapShare share;
  private final Duration period;
  private volatile boolean closed;

  /** What the copy takes that was judged last: the next look compares with it. */
  private @Nullable HeapClaim held;

  /**
   * Of a node.
   *
   * @param here the store at hand, and what a query may cost
   * @param share of which copies are taken
   * @param period from one commit to the next: between them there is nothing new
   */
  public JudgedFleet(
      FleetSeriesSource source,
      FleetSeriesSource.Placement placement,
      QueryScope here,
      HeapShare share,
      Duration period) {
    this.source = source;
    this.placement = placement;
    this.here = here;
    this.share = share;
    this.period = period;
  }

  @Override
  public List<WindowSpec> windows() {
    return here.store().windows();
  }

  @Override
  public Duration period() {
    return period;
  }

  @Override
  public String elsewhere() {
    return placement.held().partitions().contains(FIRST_PARTITION)
        ? ""
        : "judged by the node that has partition " + FIRST_PARTITION;
  }

  @Override
  public void look(List<SeriesFilter> filters, Consumer<SeriesStore> judging)
      throws QueryException {
    HeapClaim claim = share.claim();
    boolean isKept = false;
    try {
      judging.accept(copy(NeededSeries.of(filters, NeededSeries.Counts.WINDOWS), claim));
      forget();
      held = claim;
      isKept = true;
    } finally {
      if (!isKept) {
        claim.close();
      }
    }
  }

  private SeriesStore copy(NeededSeries needs, HeapClaim claim) throws QueryException {
    try {
      return source.copied(needs, here.with(claim, QueryTurn.endless(() -> closed)));
    } catch (HeapFullException e) {
      throw QueryException.unavailable("no memory for the series of all rules: " + e.getMessage());
    } catch (QueryException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("copying the series of all rules failed", e);
    }
  }

  @Override
  public void forget() {
    if (held != null) {
      held.close();
      held = null;
    }
  }

  /** A look that goes on ends soon. */
  @Override
  public void close() {
    closed = true;
  }
}
