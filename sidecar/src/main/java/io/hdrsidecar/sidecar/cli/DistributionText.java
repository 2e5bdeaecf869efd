package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SparseCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Percentile distributions as HdrHistogram, HistogramLogProcessor and wrk2 print them, back as
 * counts.
 *
 * <p>A row tells how many values are not above its value; the difference to the row before is
 * counted at the value. So total and maximum are those of the text, and what lay between two rows
 * counts for the upper one: no percentile is told too low, and how much too high is a matter of how
 * many rows the text has. Values are printed rounded, which may lift one to the next bucket.
 */
final class DistributionText {
  private static final Pattern LEGEND =
      Pattern.compile("\\s*\"?Value\"?[\\s,]+\"?Percentile\"?[\\s,]+\"?TotalCount\"?.*");
  private static final Pattern ROW =
      Pattern.compile(
          "\\s*([0-9]+(?:\\.[0-9]+)?)[\\s,]+([01]\\.[0-9]+)[\\s,]+([0-9]{1,18})(?:[\\s,]+\\S+)?\\s*");
  private static final Pattern TOTAL =
      Pattern.compile("#\\[Max.*Total count\\s*=\\s*([0-9]+)\\].*");
  private static final Pattern TAG = Pattern.compile("#\\[Tag: ([^\\s,]+)\\].*");
  private static final String UNCORRECTED = "Uncorrected";
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 2);

  private final TextLines lines;
  private final ValueUnit unit;
  private final BucketLayout layout;
  private String tag = "";
  private @Nullable String told; // read already, but not used

  DistributionText(TextLines lines, ValueUnit unit, BucketLayout layout) {
    this.lines = lines;
    this.unit = unit;
    this.layout = layout;
  }

  /** Whether this is the head of such a table. */
  static boolean isLegend(String line) {
    return LEGEND.matcher(line).matches();
  }

  /**
   * The tag of the table read last: the one the text tells, {@code uncorrected} for wrk2's second
   * table, or an empty one.
   */
  String tag() {
    return tag;
  }

  /**
   * Reads the next table.
   *
   * @return null behind the last
   * @throws IllegalArgumentException with the reason when a table makes no sense
   */
  @Nullable LogEntry next() throws IOException {
    tag = "";
    String line = told == null ? lines.next() : told;
    told = null;
    for (; line != null; line = lines.next()) {
      Matcher tagLine = TAG.matcher(line);
      if (tagLine.matches()) {
        tag = tagLine.group(1);
      } else if (line.contains(UNCORRECTED)) {
        tag = "uncorrected";
      } else if (isLegend(line)) {
        return table();
      }
    }
    return null;
  }

  private LogEntry table() throws IOException {
    PagedCounts counts = new PagedCounts(layout);
    long reached = 0;
    String line = lines.next();
    for (; line != null; line = lines.next()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        long upToHere = Long.parseLong(row.group(3));
        if (upToHere < reached) {
          throw new IllegalArgumentException(
              "total counts must rise: " + reached + ", then " + upToHere);
        }
        if (upToHere > reached) {
          counts.add(layout.indexOf(value(row.group(1))), upToHere - reached);
        }
        reached = upToHere;
      } else if (line.startsWith("#[Max")) {
        checkTotal(line, reached);
      } else if (!line.isBlank() && !line.startsWith("#[Mean")) {
        break;
      }
    }
    told = line; // the last line of this table, or the first of what follows
    return entry(counts);
  }

  private static void checkTotal(String line, long reached) {
    Matcher total = TOTAL.matcher(line);
    if (total.matches() && !total.group(1).equals(Long.toString(reached))) {
      throw new IllegalArgumentException(
          "the rows count " + reached + " values, but the text says " + total.group(1));
    }
  }

  private long value(String text) {
    BigDecimal exact = unit.scaled(new BigDecimal(text));
    if (exact.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("value must be 0 to 4.6e18 nanoseconds: " + text);
    }
    return exact.setScale(0, RoundingMode.CEILING).longValueExact();
  }

  private LogEntry entry(PagedCounts counts) {
    SparseCounts sparse = new SparseCounts();
    counts.appendTo(sparse);
    long highest =
        sparse.size() == 0 ? 0 : layout.highestValueAt(sparse.indexAt(sparse.size() - 1));
    return new LogEntry(
        layout, Math.max(highest, 2 * layout.lowestDiscernibleValue()), sparse, null);
  }
}
