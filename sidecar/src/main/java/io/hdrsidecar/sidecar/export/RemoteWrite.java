package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.config.ExportConfig;
import io.hdrsidecar.sidecar.expose.ExponentialReading;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.merge.Series;
import io.hdrsidecar.sidecar.otlp.WireReader;
import io.hdrsidecar.sidecar.otlp.WireWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prometheus' remote write 2.0: {@code io.prometheus.write.v2.Request}, packed by Snappy, with a
 * native histogram for each series. Numbers of fields:
 *
 * <pre>
 * Request     4 symbols  5 timeseries
 * TimeSeries  1 labels_refs (packed)  2 samples  3 histograms  4 exemplars  5 metadata
 * Sample      1 value (double)  2 timestamp
 * Histogram   1 count_int  3 sum (double)  4 schema (sint32)  5 zero_threshold (double)
 *             6 zero_count_int  11 positive_spans  12 positive_deltas (sint64, packed)
 *             15 timestamp  17 start_timestamp
 * BucketSpan  1 offset (sint32)  2 length
 * Exemplar    1 labels_refs (packed)  2 value (double)  3 timestamp
 * Metadata    1 type (2 gauge, 3 histogram)  3 help_ref  4 unit_ref
 * </pre>
 *
 * <p>Names are those of {@code /metrics}. The resource becomes {@code job}, {@code instance} and
 * labels of {@code target_info}, as Prometheus does it with what comes by OTLP.
 *
 * <p>Source: https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/, version 2.0-rc.4.
 */
final class RemoteWrite implements ExportWire {
  private static final int SYMBOLS = 4;
  private static final int SERIES = 5;
  private static final int GAUGE = 2;
  private static final int HISTOGRAM = 3;

  /** A place in the table of symbols takes more than its text, and more than is written. */
  private static final int MORE_FOR_A_SYMBOL = 16;

  /** Up to so many empty buckets are written as such; more begin another span. */
  private static final int MAX_GAP = 2;

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final String SERVICE = "service.name";
  private static final String NAMESPACE = "service.namespace";
  private static final String INSTANCE = "service.instance.id";

  private final WireWriter out;
  private final SymbolTable symbols;
  private final ExponentialReading reading;
  private final Map<String, String> target = new TreeMap<>();
  private final Map<String, String> targetInfo = new TreeMap<>();

  /**
   * One for the resource and the buckets of this configuration.
   *
   * @param claim what it holds is taken from
   */
  RemoteWrite(ExportConfig config, HeapClaim claim) {
    this.out = new WireWriter(claim);
    this.symbols = new SymbolTable(SYMBOLS, claim);
    this.reading = new ExponentialReading(config.maxBuckets());
    Map<String, String> resource = new TreeMap<>(config.resource());
    String service = resource.getOrDefault(SERVICE, "");
    String namespace = resource.getOrDefault(NAMESPACE, "");
    put(target, "job", namespace.isEmpty() ? service : namespace + "/" + service);
    put(target, "instance", resource.getOrDefault(INSTANCE, ""));
    resource.keySet().removeAll(List.of(SERVICE, NAMESPACE, INSTANCE));
    resource.forEach((key, value) -> put(targetInfo, label(key), value));
    if (!targetInfo.isEmpty()) {
      targetInfo.putAll(target);
      targetInfo.put("__name__", "target_info");
    }
  }

  /** A label without a value is none. Two attributes of one name are shown both. */
  private static void put(Map<String, String> labels, String name, String value) {
    if (!value.isEmpty()) {
      labels.merge(name, value, (one, other) -> one + ";" + other);
    }
  }

  /** As Prometheus names an attribute: {@code prometheus/otlptranslator}, LabelNamer. */
  private static String label(String key) {
    String name = key.replaceAll("[^a-zA-Z0-9_]", "_");
    if (Character.isDigit(name.charAt(0))) {
      return "key_" + name;
    }
    return name.startsWith("_") && !name.startsWith("__") ? "key" + name : name;
  }

  @Override
  public Map<String, String> headers() {
    return Map.of(
        "Content-Type", "application/x-protobuf;proto=io.prometheus.write.v2.Request",
        "Content-Encoding", "snappy",
        "X-Prometheus-Remote-Write-Version", "2.0.0");
  }

  @Override
  public void begin(boolean isFirst, long timeNanos) {
    out.clear();
    symbols.clear();
    if (isFirst && !targetInfo.isEmpty()) {
      int series = out.begin(SERIES);
      labels(targetInfo);
      int sample = out.begin(2);
      real(1, 1);
      number(2, timeNanos / NANOS_PER_MILLI);
      out.end(sample);
      metadata(GAUGE, "Target metadata", "");
      out.end(series);
    }
  }

  @Override
  public SentPoint read(Series series, SentPoint before, long timeNanos) {
    reading.readFrom(series);
    return SentPoint.cumulative(reading.count(), timeNanos);
  }

  @Override
  public void point(ExportStream stream, Series series, long timeNanos) {
    Map<String, String> labels = new TreeMap<>(series.key().labels().asMap());
    labels.putAll(target);
    labels.put("__name__", stream.metric());
    int message = out.begin(SERIES);
    labels(labels);
    long millis = timeNanos / NANOS_PER_MILLI;
    histogram(series.unit(), millis, stream.startNanos(millis * NANOS_PER_MILLI));
    stream.sendExemplars(exemplars(series.exemplars(), series.unit(), stream.exemplarMillis()));
    metadata(HISTOGRAM, series.help(), series.unit().baseUnit());
    out.end(message);
  }

  private void labels(Map<String, String> labels) {
    int row = out.begin(1);
    labels.forEach(
        (name, value) -> {
          out.varint(symbols.number(name));
          out.varint(symbols.number(value));
        });
    out.end(row);
  }

  private void histogram(Unit unit, long millis, long startNanos) {
    int message = out.begin(3);
    number(1, reading.count());
    real(3, unit.toBaseUnit(reading.sum().toDouble()));
    out.tag(4, WireReader.VARINT);
    out.sint32(reading.scale());
    real(5, ExponentialReading.ZERO_THRESHOLD);
    number(6, reading.zeroCount());
    buckets(reading.counts(), reading.firstIndex() + 1); // Prometheus counts from the upper edge.
    number(15, millis);
    number(17, Math.floorDiv(startNanos, NANOS_PER_MILLI));
    out.end(message);
  }

  private void buckets(long[] counts, int firstIndex) {
    List<Integer> places = new ArrayList<>();
    int before = -firstIndex; // The first offset is an index.
    int at = 0;
    while (at < counts.length) {
      if (counts[at] == 0) {
        at++;
        continue;
      }
      int end = spanEnd(counts, at);
      int span = out.begin(11);
      out.tag(1, WireReader.VARINT);
      out.sint32(at - before);
      number(2, end - at);
      out.end(span);
      for (; at < end; at++) {
        places.add(at);
      }
      before = end;
    }
    int row = out.begin(12);
    long last = 0;
    for (int place : places) {
      out.sint64(counts[place] - last);
      last = counts[place];
    }
    out.end(row);
  }

  /** Behind the last bucket that is not further from the one before than a span may have empty. */
  private static int spanEnd(long[] counts, int start) {
    int end = start + 1;
    for (int at = end; at < counts.length && at - end <= MAX_GAP; at++) {
      if (counts[at] != 0) {
        end = at + 1;
      }
    }
    return end;
  }

  /** Those that are later than the last ones, in their order; gives the time of the last. */
  private long exemplars(List<Exemplar> exemplars, Unit unit, long afterMillis) {
    long last = afterMillis;
    for (Exemplar exemplar :
        exemplars.stream().sorted(Comparator.comparingLong(Exemplar::millis)).toList()) {
      if (exemplar.millis() > last) {
        last = exemplar.millis();
        Map<String, String> ids = new TreeMap<>();
        put(ids, "span_id", exemplar.spanId());
        put(ids, "trace_id", exemplar.traceId());
        int message = out.begin(4);
        labels(ids);
        real(2, unit.toBaseUnit((double) exemplar.value()));
        number(3, last);
        out.end(message);
      }
    }
    return last;
  }

  private void metadata(int type, String help, String unit) {
    int message = out.begin(5);
    number(1, type);
    number(3, symbols.number(help));
    number(4, symbols.number(unit));
    out.end(message);
  }

  private void number(int field, long value) {
    out.tag(field, WireReader.VARINT);
    out.varint(value);
  }

  private void real(int field, double value) {
    out.tag(field, WireReader.FIXED64);
    out.fixed64(Double.doubleToRawLongBits(value));
  }

  @Override
  public void end() {}

  @Override
  public int size() {
    return out.size() + symbols.size() + MORE_FOR_A_SYMBOL * symbols.count();
  }

  /** Symbols first: a receiver may read a request from its beginning to its end. */
  @Override
  public byte[] packed() {
    try (SnappyBlock block = new SnappyBlock(symbols.size() + out.size())) {
      symbols.writeTo(block);
      out.writeTo(block);
      return block.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes everything", e);
    }
  }

  @Override
  public ExportAnswer answer(int status, HttpHeaders headers, byte[] body, int points) {
    return RemoteWriteAnswer.of(status, headers, body, points);
  }
}
