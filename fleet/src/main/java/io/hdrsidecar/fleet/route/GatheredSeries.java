package io.hdrsidecar.fleet.route;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.MalformedRecordException;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.counts.IntervalCounts;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.merge.SeriesBytes;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.merge.StoreRestore;
import io.hdrsidecar.sidecar.query.KeyText;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts what nodes have told as one store, of which a query is asked as it would be of a store that
 * has merged all of it. For one query; one thread.
 */
final class GatheredSeries implements AutoCloseable {
  /** More labels than a series can have, and longer helps. */
  private static final int MAX_TEXT = 1 << 20;

  private static final int MAX_COUNTS = 64 << 20;

  /** A series in a store, without texts and counters. */
  private static final long OBJECTS_BYTES = 2048;

  private static final long WINDOW_BYTES = 512;
  private static final long INTERVAL_BYTES = 96;
  private static final int LOOK_EVERY = 64;

  private final QueryScope scope;
  private final HeapClaim claim;
  private final CountsBytes counts;
  private final GatheredPast past;
  private final SeriesStore store;
  private long hidden;
  private int looked;

  /** Nothing yet. What it comes to hold is taken from the claim of the scope. */
  GatheredSeries(NeededSeries needs, QueryScope scope) {
    MergeConfig here = scope.store().config();
    this.scope = scope;
    this.claim = scope.claim();
    this.counts = new CountsBytes(here.maxCounters());
    this.past = new GatheredPast(needs, counts);
    // What nodes have taken within their limits is not limited again, but by the claim.
    this.store =
        new SeriesStore(
            new MergeConfig(
                Integer.MAX_VALUE,
                here.maxLayouts(),
                here.maxCounters(),
                here.windows(),
                here.maxLabelLength(),
                Duration.ZERO));
    store.past().readFrom(past);
  }

  SeriesStore store() {
    return store;
  }

  /** Series left out, as another one has their name and labels, or their name another unit. */
  long hidden() {
    return hidden;
  }

  /** That there is something between these times. */
  void reaches(long fromMillis, long toMillis) {
    past.reaches(fromMillis, toMillis);
  }

  /**
   * Adds the series that a node has told of, behind the head of its answer.
   *
   * @throws IOException when it ends early, or is damaged; some of it was added then
   */
  void add(DataInputStream in) throws IOException, QueryException {
    for (int kind = in.readUnsignedByte(); kind != PeerAnswer.END; kind = in.readUnsignedByte()) {
      look();
      switch (kind) {
        case PeerAnswer.SERIES -> addSeries(in);
        case PeerAnswer.PAST -> addPast(in);
        default -> throw new MalformedPeerException("what follows must be a series: " + kind);
      }
    }
    if (in.read() >= 0) {
      throw new MalformedPeerException("there are bytes behind the end");
    }
  }

  private void look() throws QueryException {
    if (looked++ % LOOK_EVERY == 0) {
      scope.turn().look();
    }
  }

  private static FleetSeries key(DataInputStream in) throws IOException {
    try {
      return FleetSeries.read(PeerText.bytes(in, MAX_TEXT));
    } catch (MalformedRecordException e) {
      throw new MalformedPeerException("series: " + e.getMessage());
    }
  }

  private void addSeries(DataInputStream in) throws IOException {
    FleetSeries named = key(in);
    String help = PeerText.text(in, MAX_TEXT);
    claim.grow(
        OBJECTS_BYTES
            + KeyText.cost(named.key())
            + 2L * help.length()
            + WINDOW_BYTES * store.windows().size());
    Instant created = Instant.ofEpochMilli(in.readLong());
    long lastSeen = in.readLong();
    long intervals = in.readLong();
    boolean hasWholeWindows = in.readBoolean();
    long highest = in.readLong();
    List<BucketLayout> layouts = layouts(in);
    List<byte[]> told = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      told.add(PeerText.bytes(in, MAX_COUNTS));
    }
    List<Exemplar> exemplars = exemplars(in);
    try {
      if (store.find(named.key()).isPresent()) {
        hidden++;
        return;
      }
      Series series =
          store
              .restore()
              .whole(totals(named, help, highest, layouts, told), created, intervals, lastSeen);
      for (int i = 1; i < told.size() && i <= store.windows().size(); i++) {
        int index = i - 1;
        counts.<RefusedException>read(
            told.get(i), (layout, held) -> store.restore().window(series, layout, index, held));
      }
      if (!hasWholeWindows) {
        store.restore().withoutWindows(series);
      }
      exemplars.forEach(each -> store.restore().exemplar(series, each));
      claim.grow(SeriesBytes.ofCounters(series) * Math.max(1, told.size()));
    } catch (RefusedException e) {
      // As on one node: of two that want one name one is shown. All else nodes have admitted.
      if (e.reason() != RejectReason.SERIES_CONFLICT) {
        throw new MalformedPeerException("series " + named.key() + ": " + e.getMessage());
      }
      hidden++;
    } catch (IllegalArgumentException e) {
      throw new MalformedPeerException("series " + named.key() + ": " + e.getMessage());
    }
  }

  private static List<BucketLayout> layouts(DataInputStream in) throws IOException {
    List<BucketLayout> layouts = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      long lowest = in.readLong();
      try {
        layouts.add(BucketLayout.of(lowest, in.readUnsignedByte()));
      } catch (IllegalArgumentException e) {
        throw new MalformedPeerException("layout: " + e.getMessage());
      }
    }
    if (layouts.isEmpty()) {
      throw new MalformedPeerException("a series must have a layout");
    }
    return layouts;
  }

  private static List<Exemplar> exemplars(DataInputStream in) throws IOException {
    List<Exemplar> exemplars = new ArrayList<>();
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      long value = in.readLong();
      long millis = in.readLong();
      String trace = PeerText.text(in, Exemplar.MAX_TRACE_ID);
      String span = PeerText.text(in, Exemplar.MAX_SPAN_ID);
      try {
        exemplars.add(new Exemplar(value, millis, trace, span));
      } catch (IllegalArgumentException e) {
        throw new MalformedPeerException(String.valueOf(e.getMessage()));
      }
    }
    return exemplars;
  }

  /** One for each layout, those without counts among them. */
  private List<StoreRestore.Total> totals(
      FleetSeries named, String help, long highest, List<BucketLayout> layouts, List<byte[]> told) {
    Map<BucketLayout, IntervalCounts> byLayout = new HashMap<>();
    if (!told.isEmpty()) {
      counts.read(told.get(0), (layout, total) -> byLayout.put(layout, copy(total)));
    }
    List<StoreRestore.Total> totals = new ArrayList<>();
    for (BucketLayout layout : layouts) {
      IntervalCounts total = byLayout.remove(layout);
      totals.add(
          new StoreRestore.Total(
              new SeriesDefinition(named.key(), named.unit(), help, layout, highest),
              total == null ? nothing() : total));
    }
    if (!byLayout.isEmpty()) {
      throw new MalformedPeerException("counts of a layout that the series does not have");
    }
    return totals;
  }

  private static IntervalCounts copy(IntervalCounts read) {
    SparseCounts buckets = new SparseCounts();
    for (int i = 0; i < read.counts().size(); i++) {
      buckets.visit(read.counts().indexAt(i), read.counts().countAt(i));
    }
    IntervalCounts copy = new IntervalCounts();
    copy.set(buckets, read.sumMinMax());
    return copy;
  }

  private static IntervalCounts nothing() {
    IntervalCounts nothing = new IntervalCounts();
    nothing.set(new SparseCounts(), new SumMinMax());
    return nothing;
  }

  private void addPast(DataInputStream in) throws IOException, QueryException {
    FleetSeries named = key(in);
    String help = PeerText.text(in, MAX_TEXT);
    long from = in.readLong();
    claim.grow(KeyText.cost(named.key()) + 2L * help.length());
    List<PastInterval> into =
        past.add(new PastSeries(named.key(), named.unit(), help, from, in.readLong()));
    while (in.readBoolean()) {
      look();
      long start = in.readLong();
      long end = in.readLong();
      if (end < start) {
        throw new MalformedPeerException("an interval must not end before it begins");
      }
      byte[] bytes = PeerText.bytes(in, MAX_COUNTS);
      claim.grow(INTERVAL_BYTES + HeapShare.arrayCost(bytes.length));
      into.add(past.interval(start, end, bytes));
    }
  }

  @Override
  public void close() {
    counts.close();
  }
}
