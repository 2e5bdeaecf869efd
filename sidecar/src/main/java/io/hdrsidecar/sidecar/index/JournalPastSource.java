package io.hdrsidecar.sidecar.index;

import io.hdrsidecar.internal.journal.SeriesText;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.history.PastReading;
import io.hdrsidecar.sidecar.history.PastSeries;
import io.hdrsidecar.sidecar.history.PastSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of a journal as a source of the past, each with its index: what they have, in the order
 * of their records. Files come and go while queries read: a query keeps those open that it began
 * with. Any thread; locks are held for looking things up, never while a log is read.
 *
 * <p>A file that has no index yet is not read; answers that may miss something by that say so.
 */
public final class JournalPastSource implements PastSource {
  /** Places of files: by their first record, then by their names. */
  private final TreeMap<Place, LogWithIndex> files = new TreeMap<>();

  private final TreeMap<Place, Instant> withoutIndex = new TreeMap<>();
  private final PastCatalog catalog;

  /** A place in the order of files. */
  private record Place(long firstRecord, Path path) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int order = Long.compare(firstRecord, other.firstRecord);
      return order == 0 ? path.compareTo(other.path) : order;
    }
  }

  /**
   * No files yet.
   *
   * @param maxSeries most series that are known by name and labels
   * @param maxBytes most memory of these
   */
  public JournalPastSource(int maxSeries, long maxBytes) {
    catalog = new PastCatalog(maxSeries, maxBytes);
  }

  /**
   * There is a file without an index.
   *
   * @param begun when it was begun: what it has is hardly older
   */
  public synchronized void addWithoutIndex(Path path, long firstRecord, Instant begun) {
    Place place = new Place(firstRecord, path);
    files.remove(place);
    withoutIndex.put(place, begun);
  }

  /** A file is being written; {@code index} grows with it. */
  public synchronized void addActive(Path path, long firstRecord, SharedIndex index) {
    files.put(new Place(firstRecord, path), new LogWithIndex(path, null, index));
  }

  /**
   * A complete file has an index. Reads what series it has.
   *
   * @throws IOException when the index cannot be read; nothing is added
   */
  public void add(Path path, long firstRecord, IndexFile index) throws IOException {
    List<IndexFile.Entry> entries = index.entries();
    List<IndexFile.Entry> unknown;
    synchronized (this) {
      unknown = entries.stream().filter(each -> !catalog.knows(each.hash())).toList();
    }
    List<SeriesText> definitions = index.definitions(unknown);
    synchronized (this) {
      for (int i = 0; i < unknown.size(); i++) {
        IndexFile.Entry entry = unknown.get(i);
        catalog.add(entry.hash(), definitions.get(i), entry.extent(), firstRecord);
      }
      entries.forEach(each -> catalog.add(each.hash(), each.extent(), firstRecord));
      Place place = new Place(firstRecord, path);
      withoutIndex.remove(place);
      files.put(place, new LogWithIndex(path, index, null));
    }
  }

  /** A file was deleted; queries that have it open read on. */
  public synchronized void remove(Path path, long firstRecord) {
    Place place = new Place(firstRecord, path);
    files.remove(place);
    withoutIndex.remove(place);
    // Two files may begin with one record: what was written again after a flush that failed.
    catalog.filesDeletedBefore(Math.min(firstRecordOf(files), firstRecordOf(withoutIndex)));
  }

  private static long firstRecordOf(SortedMap<Place, ?> places) {
    return places.isEmpty() ? Long.MAX_VALUE : places.firstKey().firstRecord();
  }

  @Override
  public synchronized int filesWithoutIndex() {
    return withoutIndex.size();
  }

  @Override
  public String name() {
    return "journal";
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public synchronized HistoryExtent extent() {
    HistoryExtent extent = HistoryExtent.EMPTY;
    for (LogWithIndex each : files.values()) {
      extent = extent.and(each.extent());
    }
    for (Instant begun : withoutIndex.values()) {
      extent = extent.and(new HistoryExtent(begun.toEpochMilli(), begun.toEpochMilli()));
    }
    return extent;
  }

  @Override
  public PastReading open(long fromMillis, long toMillis) {
    JournalPastReading reading = new JournalPastReading(fromMillis, toMillis);
    try {
      open(reading, fromMillis, toMillis);
      return reading;
    } catch (RuntimeException | Error e) {
      reading.close();
      throw e;
    }
  }

  private void open(JournalPastReading reading, long fromMillis, long toMillis) {
    List<LogWithIndex> all;
    SortedSet<Long> unread = new TreeSet<>();
    synchronized (this) {
      withoutIndex.keySet().forEach(place -> unread.add(place.firstRecord()));
      all = new ArrayList<>(files.values());
      List<PastSeries> series = new ArrayList<>();
      catalogOfAll().addTo(series, fromMillis, toMillis);
      reading.series(series);
      describeTrouble(reading, toMillis);
    }
    all.forEach(reading::add);
    new RecordGaps(unread, fromMillis, toMillis).describe(all).ifPresent(reading::warn);
  }

  /** Known series, with those that the file being written has by now. Under the lock. */
  private PastCatalog catalogOfAll() {
    for (Map.Entry<Place, LogWithIndex> each : files.entrySet()) {
      SharedIndex active = each.getValue().active();
      if (active != null) {
        active.addTo(catalog, each.getKey().firstRecord());
      }
    }
    return catalog;
  }

  private void describeTrouble(JournalPastReading reading, long toMillis) {
    long missing =
        withoutIndex.values().stream().filter(begun -> begun.toEpochMilli() < toMillis).count();
    if (missing > 0) {
      reading.warn(
          missing
              + " files of the journal have no index yet and were not read; it is being made, ask"
              + " again in a while");
    }
    if (catalog.isFull()) {
      reading.warn(
          "the journal has more than "
              + catalog.maxSeries()
              + " series, of which the others are not known by their labels: a series that has"
              + " ended may be missing");
    }
  }
}
