package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.AREA_CARRIED;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_FRAMED;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_NEXT;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_SUM_HIGH;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_SUM_LOW;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_TABLE;
import static io.hdrsidecar.internal.crash.CrashLayout.CARRIED_BITS;
import static io.hdrsidecar.internal.crash.CrashLayout.CONTENT;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_AREA;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_PAGE;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_BITS;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.PAGE_COUNTERS;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_FIRST_AREA;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_PAGES;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_START_MILLIS;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.interval.SumMinMax;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a dead process has counted of a series and not framed. */
final class UnframedCounts {
  /**
   * So many buckets are an interval, whatever the limits of their reader are: numbers must come out
   * the same each time. In bytes it is less than any sidecar's limit for a frame.
   */
  static final int BUCKETS_OF_A_PART = 2_048;

  /** What is more is less than nothing: more was framed than counted. */
  private static final long MOST_OF_A_BUCKET = 0xf000_0000L;

  /** Of all buckets together what a long holds, whatever is written there. */
  private static final long MOST_OF_A_SERIES = 1L << 62;

  /** Each stripe of a recorder has two, and each thread that was its owner and lives one more. */
  private static final int MOST_AREAS = 1_024;

  /** So many places of pages are read at once, of each area. */
  private static final int PAGES_OF_A_PART = 64;

  private final CrashImage image;
  private final int block;
  private final SeriesDefinition definition;

  /** An interval of some neighbouring buckets. */
  record CountedPart(long count, SumMinMax sumMinMax, ByteBuffer payload) {}

  UnframedCounts(CrashImage image, int block, SeriesDefinition definition) {
    this.image = image;
    this.block = block;
    this.definition = definition;
  }

  /** Where the interval begins that was not framed. */
  long startMillis() throws IOException {
    return image.longAt(block + SERIES_START_MILLIS);
  }

  /** The intervals that nobody has framed; none if there is nothing. */
  List<CountedPart> rest() throws IOException {
    int pages = image.intAt(block + SERIES_PAGES);
    if (pages != CrashLayout.pages(definition.counters())) {
      throw new DamagedException("a series cannot have " + pages + " pages");
    }
    int framed = 0;
    int carried = 0;
    long sum = 0;
    List<Integer> areas = new ArrayList<>();
    int area = image.intAt(block + SERIES_FIRST_AREA);
    while (area != 0) {
      int kind = image.number(area, KIND_AREA, block);
      if (kind < AREA_FRAMED || kind > AREA_CARRIED || areas.size() == MOST_AREAS || framed != 0) {
        throw new DamagedException("areas of kind " + kind + ", or without end");
      }
      long sumOfArea =
          image.longAt(area + AREA_SUM_LOW) + (image.longAt(area + AREA_SUM_HIGH) << Integer.SIZE);
      if (kind == AREA_FRAMED) {
        framed = area;
        sum -= sumOfArea;
      } else if (kind == AREA_CARRIED) {
        if (carried != 0) {
          throw new DamagedException("a series says twice what is carried");
        }
        carried = area;
      } else {
        areas.add(area);
        sum += sumOfArea;
      }
      area = image.intAt(area + AREA_NEXT);
    }
    if (framed == 0) { // It comes first, so it is last.
      throw new DamagedException("a series does not say what was framed");
    }
    return parts(counts(pages, areas, framed, carried), sum);
  }

  private SparseCounts counts(int pages, List<Integer> areas, int framed, int carried)
      throws IOException {
    SparseCounts rest = new SparseCounts();
    for (int from = 0; from < pages; from += PAGES_OF_A_PART) {
      int length = Math.min(PAGES_OF_A_PART, pages - from);
      List<Table> counted = new ArrayList<>();
      for (int area : areas) {
        counted.add(table(area, from, length));
      }
      Table ofFramed = table(framed, from, length);
      Table ofCarried = carried == 0 ? null : table(carried, from, length);
      for (int page = from; page < from + length; page++) {
        count(page, counted, ofFramed, ofCarried, rest);
      }
    }
    return rest;
  }

  private void count(
      int page, List<Table> areas, Table framed, @Nullable Table carried, SparseCounts rest)
      throws IOException {
    int[] counters = new int[PAGE_COUNTERS];
    boolean isCounted = false;
    for (Table area : areas) {
      isCounted |= add(counters, area, page, 1);
    }
    if (isCounted) {
      if (!add(counters, framed, page, -1)) {
        throw new DamagedException("page " + page + " does not say what was framed");
      }
      int[] units = new int[PAGE_COUNTERS];
      if (carried != null) {
        add(units, carried, page, 1);
      }
      append(counters, units, page, rest);
    }
  }

  /** Where some pages of an area are. */
  private record Table(int area, int from, ByteBuffer places) {
    int place(int page) {
      return places.getInt((page - from) * Integer.BYTES);
    }
  }

  private Table table(int area, int from, int length) throws IOException {
    int offset = area + AREA_TABLE + from * Integer.BYTES;
    return new Table(area, from, image.read(offset, length * Integer.BYTES));
  }

  private boolean add(int[] counters, Table table, int number, int sign) throws IOException {
    int page = table.place(number);
    if (page == 0) {
      return false;
    }
    if (image.number(page, KIND_PAGE, table.area()) != number) {
      throw new DamagedException("page " + number + " is expected at " + page);
    }
    ByteBuffer bytes = image.read(page, PAGE_BYTES);
    for (int i = 0; i < PAGE_COUNTERS; i++) {
      counters[i] += sign * bytes.getInt(CONTENT + i * Integer.BYTES);
    }
    return true;
  }

  private void append(int[] counters, int[] units, int page, SparseCounts rest)
      throws DamagedException {
    int first = page << PAGE_BITS;
    for (int i = 0; i < PAGE_COUNTERS; i++) {
      long counted = Integer.toUnsignedLong(counters[i]);
      long count = counted + (Integer.toUnsignedLong(units[i]) << CARRIED_BITS);
      if (counted > MOST_OF_A_BUCKET
          || (count > 0 && first + i >= definition.counters())
          || count > MOST_OF_A_SERIES - rest.total()) {
        throw new DamagedException("bucket " + (first + i) + " cannot have " + count);
      }
      if (count > 0) {
        rest.visit(first + i, count);
      }
    }
  }

  private List<CountedPart> parts(SparseCounts counts, long sum) {
    List<CountedPart> parts = new ArrayList<>();
    BigInteger rest = within(counts, BigInteger.valueOf(sum));
    try (HistogramEncoder encoder = new HistogramEncoder()) {
      for (int to = counts.size(); to > 0; to -= BUCKETS_OF_A_PART) {
        int from = Math.max(0, to - BUCKETS_OF_A_PART);
        SparseCounts buckets = new SparseCounts();
        for (int i = from; i < to; i++) {
          buckets.visit(counts.indexAt(i), counts.countAt(i));
        }
        BigInteger sumOfPart = from == 0 ? rest : least(buckets);
        rest = rest.subtract(sumOfPart);
        parts.add(part(encoder, buckets, sumOfPart));
      }
    }
    return parts;
  }

  private CountedPart part(HistogramEncoder encoder, SparseCounts buckets, BigInteger sum) {
    BucketLayout layout = definition.layout();
    long highest = definition.highestTrackableValue();
    ByteBuffer encoded = encoder.encode(buckets, layout, highest, 0);
    ByteBuffer payload = ByteBuffer.allocate(encoded.remaining()).put(encoded).flip();
    int last = buckets.indexAt(buckets.size() - 1);
    SumMinMax sumMinMax =
        SumMinMax.of(
            sum.shiftRight(Long.SIZE).longValue(),
            sum.longValue(),
            /* exact= */ true,
            layout.lowestValueAt(buckets.indexAt(0)),
            Math.min(layout.highestValueAt(last), highest));
    return new CountedPart(buckets.total(), sumMinMax, payload);
  }

  /**
   * The sum as far as the buckets allow it. It was added before each value was counted, so it may
   * have one value of each thread too much; and it is known modulo 2<sup>64</sup>.
   */
  private BigInteger within(SparseCounts counts, BigInteger sum) {
    BigInteger most = BigInteger.ZERO;
    for (int i = 0; i < counts.size(); i++) {
      long highest = definition.layout().highestValueAt(counts.indexAt(i));
      most = most.add(BigInteger.valueOf(highest).multiply(BigInteger.valueOf(counts.countAt(i))));
    }
    BigInteger least = least(counts);
    BigInteger turn = BigInteger.ONE.shiftLeft(Long.SIZE);
    BigInteger fromMiddle = least.add(most).shiftRight(1).subtract(sum);
    BigInteger turns = fromMiddle.add(turn.shiftRight(1)).shiftRight(Long.SIZE); // rounded
    BigInteger lifted = sum.add(turns.multiply(turn));
    return lifted.max(least).min(most);
  }

  private BigInteger least(SparseCounts counts) {
    BigInteger least = BigInteger.ZERO;
    for (int i = 0; i < counts.size(); i++) {
      long lowest = definition.layout().lowestValueAt(counts.indexAt(i));
      least = least.add(BigInteger.valueOf(lowest).multiply(BigInteger.valueOf(counts.countAt(i))));
    }
    return least;
  }
}
