package io.hdrsidecar.fleet.route;

import io.hdrsidecar.sidecar.promql.Condition;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node asks another, as bytes. Big endian; a text is its length in bytes, 4, and UTF-8.
 *
 * <pre>
 *  0  uint32  {@value #MAGIC}, which changes with this layout
 *  4  uint8   what is wanted of each series, by its place in {@link NeededSeries.Counts}
 *  5  uint8   whether the names of all series are wanted
 *  6  int64   start of the past that is wanted, milliseconds since the epoch
 * 14  int64   its end
 * 22  uint16  number of filters, then for each:
 *  .  uint8   whether it is about metrics as Prometheus sees them
 *  .  uint16  number of conditions, then for each:
 *  .  uint8   comparison, by its place in {@link Condition.Comparison}
 *  .  text    label
 *  .  text    value
 * </pre>
 */
final class PeerQuery {
  private static final int MAGIC = 0x48505131;
  private static final List<NeededSeries.Counts> COUNTS = List.of(NeededSeries.Counts.values());
  private static final List<Condition.Comparison> COMPARISONS =
      List.of(Condition.Comparison.values());
  private static final int MAX_FILTERS = 4096;
  private static final int MAX_TEXT = 256 << 10;

  private PeerQuery() {}

  static byte[] bytes(NeededSeries needs) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeInt(MAGIC);
      out.writeByte(COUNTS.indexOf(needs.counts()));
      out.writeBoolean(needs.allNames());
      out.writeLong(needs.fromMillis());
      out.writeLong(needs.toMillis());
      out.writeShort(needs.series().size());
      for (SeriesFilter filter : needs.series()) {
        out.writeBoolean(filter.isExposed());
        out.writeShort(filter.conditions().size());
        for (Condition condition : filter.conditions()) {
          out.writeByte(COMPARISONS.indexOf(condition.comparison()));
          PeerText.write(condition.label(), out);
          PeerText.write(condition.value(), out);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("arrays cannot fail", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads one.
   *
   * @throws IOException when it is none
   */
  static NeededSeries read(InputStream bytes) throws IOException {
    DataInputStream in = new DataInputStream(bytes);
    int magic = in.readInt();
    if (magic != MAGIC) {
      throw new IOException(
          "must begin with %08x, as of this version: %08x".formatted(MAGIC, magic));
    }
    NeededSeries.Counts counts = at(COUNTS, in.readUnsignedByte());
    boolean allNames = in.readBoolean();
    long from = in.readLong();
    long to = in.readLong();
    List<SeriesFilter> filters = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      filters.add(filter(in));
    }
    return new NeededSeries(filters, allNames, counts, from, to);
  }

  private static SeriesFilter filter(DataInputStream in) throws IOException {
    boolean isExposed = in.readBoolean();
    List<Condition> conditions = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      Condition.Comparison comparison = at(COMPARISONS, in.readUnsignedByte());
      String label = PeerText.text(in, MAX_TEXT);
      conditions.add(new Condition(label, comparison, PeerText.text(in, MAX_TEXT), 0));
    }
    try {
      return new SeriesFilter(conditions, isExposed);
    } catch (IllegalArgumentException e) {
      throw new IOException("not a condition: " + e.getMessage(), e);
    }
  }

  private static int count(DataInputStream in) throws IOException {
    int count = in.readUnsignedShort();
    if (count > MAX_FILTERS) {
      throw new IOException("at most " + MAX_FILTERS + " filters and conditions: " + count);
    }
    return count;
  }

  private static <T> T at(List<T> all, int place) throws IOException {
    if (place >= all.size()) {
      throw new IOException("must be below " + all.size() + ": " + place);
    }
    return all.get(place);
  }
}
