package io.hdrsidecar.fleet.route;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.IntervalSum;
import io.hdrsidecar.sidecar.history.PastInterval;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.hdrsidecar.sidecar.reading.LayoutCopy;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Writes what a node tells another: the series that it shows, and their past. Big endian; a text
 * and counts ({@link CountsBytes}) have their length in bytes in front, 4.
 *
 * <pre>
 * uint32  {@value #MAGIC}, which changes with this layout
 * uint16  partitions of the fleet
 * uint16  how many are told of, then the number of each, uint16
 * text    why that is not all that it has, for people; may be empty
 * int64   from when there is a past of any series, milliseconds since the epoch
 * int64   to when
 * then, in any order, until the end:
 *   uint8   {@value #SERIES}: a series that lives
 *   key     as {@link FleetSeries} has it, with its length
 *   text    help
 *   int64   when counting began;  int64  when the last interval came;  int64  intervals
 *   uint8   whether windows have all that came;  int64  highest trackable value
 *   uint8   number of layouts, then for each: int64 lowest value, uint8 digits
 *   uint8   number of counts: none, the total, or the total and all windows; then these
 *   uint8   number of exemplars, then for each: int64 value, int64 time, text, text
 *
 *   uint8   {@value #PAST}: a series that has or had a past
 *   key;  text  help;  int64  from when;  int64  to when
 *   for each interval: uint8 1, int64 start, int64 end, counts;  then uint8 0
 * uint8   {@value #END}
 * </pre>
 *
 * <p>One thread at a time.
 */
final class PeerAnswer implements AutoCloseable {
  static final int MAGIC = 0x48504131;
  static final int END = 0;
  static final int SERIES = 1;
  static final int PAST = 2;

  private static final int LOOK_EVERY = 64;

  private final NeededSeries needs;
  private final QueryScope scope;
  private final DataOutputStream out;
  private final CountsBytes counts;
  private final LayoutCopy copy = new LayoutCopy();
  private final IntervalSum sum = new IntervalSum();
  private int looked;
  private int intervals;

  PeerAnswer(NeededSeries needs, QueryScope scope, DataOutputStream out) {
    this.needs = needs;
    this.scope = scope;
    this.out = out;
    this.counts = new CountsBytes(scope.store().config().maxCounters());
  }

  /**
   * Writes everything.
   *
   * @param partitions of the fleet
   * @param trouble why these are not all that the node has, for people
   * @throws QueryException when it is too much, or cannot be read at the moment
   */
  void write(HeldPartitions held, int partitions, String trouble)
      throws IOException, QueryException {
    HistoryExtent extent = scope.store().past().source().extent();
    out.writeInt(MAGIC);
    out.writeShort(partitions);
    out.writeShort(held.partitions().size());
    for (int partition : held.partitions()) {
      out.writeShort(partition);
    }
    PeerText.write(trouble, out);
    out.writeLong(extent.fromMillis());
    out.writeLong(extent.toMillis());
    for (Series each : scope.store().livingSeries()) {
      look();
      boolean isWanted = isWanted(new FleetSeries(each.unit(), each.key()));
      if (isWanted || needs.allNames()) {
        write(each, isWanted);
      }
    }
    if (needs.isAboutPast()) {
      writePast();
    }
    out.writeByte(END);
  }

  private void look() throws QueryException {
    if (looked++ % LOOK_EVERY == 0) {
      scope.turn().look();
    }
  }

  private boolean isWanted(FleetSeries series) {
    return needs.series().stream().anyMatch(each -> each.accepts(series.key(), series.unit()));
  }

  private void write(Series series, boolean isWanted) throws IOException {
    out.writeByte(SERIES);
    PeerText.write(new FleetSeries(series.unit(), series.key()).bytes(), out);
    PeerText.write(series.help(), out);
    out.writeLong(series.createdAt().toEpochMilli());
    out.writeLong(series.lastSeen().toEpochMilli());
    out.writeLong(series.intervals());
    out.writeBoolean(series.hasWholeWindows());
    out.writeLong(series.highestTrackableValue());
    List<BucketLayout> layouts = series.layouts();
    out.writeByte(layouts.size());
    for (BucketLayout layout : layouts) {
      out.writeLong(layout.lowestDiscernibleValue());
      out.writeByte(layout.significantDigits());
    }
    writeCounts(series, isWanted ? needs.counts() : NeededSeries.Counts.NAMES);
    List<Exemplar> exemplars = isWanted ? series.exemplars() : List.of();
    out.writeByte(exemplars.size());
    for (Exemplar each : exemplars) {
      out.writeLong(each.value());
      out.writeLong(each.millis());
      PeerText.write(each.traceId(), out);
      PeerText.write(each.spanId(), out);
    }
  }

  private void writeCounts(Series series, NeededSeries.Counts wanted) throws IOException {
    int windows = wanted == NeededSeries.Counts.WINDOWS ? scope.store().windows().size() : 0;
    out.writeByte(wanted == NeededSeries.Counts.NAMES ? 0 : 1 + windows);
    if (wanted != NeededSeries.Counts.NAMES) {
      series.readTotal(copy);
      PeerText.write(counts.write(copy.sums()), out);
      for (int i = 0; i < windows; i++) {
        series.readWindow(i, copy);
        PeerText.write(counts.write(copy.sums()), out);
      }
    }
  }

  private void writePast() throws IOException, QueryException {
    try (PastReading reading =
        scope.store().past().source().open(needs.fromMillis(), needs.toMillis())) {
      for (PastSeries each : reading.series()) {
        look();
        boolean isWanted = isWanted(new FleetSeries(each.unit(), each.key()));
        if (isWanted || needs.allNames()) {
          out.writeByte(PAST);
          PeerText.write(new FleetSeries(each.unit(), each.key()).bytes(), out);
          PeerText.write(each.help(), out);
          out.writeLong(each.fromMillis());
          out.writeLong(each.toMillis());
          if (isWanted && needs.counts() != NeededSeries.Counts.NAMES) {
            writeIntervals(reading, each);
          }
          out.writeByte(0);
        }
      }
      if (!reading.warnings().isEmpty()) {
        throw QueryException.unavailable(String.join("; ", reading.warnings()));
      }
    }
  }

  private void writeIntervals(PastReading reading, PastSeries series)
      throws IOException, QueryException {
    int left = scope.limits().maxIntervals() - intervals;
    List<PastInterval> found = reading.intervals(series, Map.of(), left);
    if (found.size() > left) {
      throw QueryException.tooCostly(
          "series",
          "more than "
              + scope.limits().maxIntervals()
              + " intervals would have to be read (query.max-intervals); ask for a shorter range"
              + " or fewer series");
    }
    intervals += found.size();
    for (PastInterval each : found) {
      look();
      sum.clear();
      sum.add(each);
      out.writeByte(1);
      out.writeLong(each.startMillis());
      out.writeLong(each.endMillis());
      PeerText.write(counts.write(sum.counts()), out);
    }
  }

  @Override
  public void close() {
    counts.close();
  }
}
