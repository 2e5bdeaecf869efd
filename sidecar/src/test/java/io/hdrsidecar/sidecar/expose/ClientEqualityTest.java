package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.metric.MetricRegistry;
import io.hdrsidecar.sidecar.window.WindowSpec;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.expositionformats.generated.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What we write of generated stores, against the Prometheus client's writers. */
@SuppressWarnings("NonCanonicalType") // The canonical name of the generated class has a version.
class ClientEqualityTest {
  private static final String PROTOBUF =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
          + " encoding=delimited";
  private static final List<String> SCHEMES =
      List.of(
          "",
          ";escaping=allow-utf-8",
          ";escaping=underscores",
          ";escaping=dots",
          ";escaping=values");
  private static final List<String> LABEL_NAMES =
      List.of("A", "x_y", "a_b", "quantil", "quantiles", "route", "windo", "windows", "zone", "q1");
  private static final List<String> TEXTS =
      List.of("/pay", "", "a\\b\"c\nd", "\\n", "ü€😀", "x y", "{}=,#", "\"", "\t\r", "0.5");

  static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  @ParameterizedTest(name = "seed={0}")
  @MethodSource("seeds")
  void text_ofOneSeriesAName_isTheClientsToTheByte(int seed) throws Exception {
    Generated generated = new Generated(seed, 1);

    assertThat(generated.page("text/plain;version=0.0.4", ClientEqualityTest::textOfSeries))
        .isEqualTo(generated.client(PrometheusTextFormatWriter.create()));
    assertThat(
            generated.page(
                "application/openmetrics-text;version=1.0.0", ClientEqualityTest::textOfSeries))
        .isEqualTo(
            generated.client(
                OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(true).build()));
  }

  @ParameterizedTest(name = "seed={0}")
  @MethodSource("seeds")
  void text_ofManySeriesAName_hasTheClientsLines(int seed) throws Exception {
    Generated generated = new Generated(seed, 6);

    String ours = generated.page("text/plain;version=0.0.4", ClientEqualityTest::textOfSeries);

    assertThat(ours.lines().sorted().toList())
        .isEqualTo(generated.client(PrometheusTextFormatWriter.create()).lines().sorted().toList());
  }

  @ParameterizedTest(name = "seed={0}")
  @MethodSource("seeds")
  void protobuf_ofOneSeriesAName_isTheClientsToTheByte(int seed) throws Exception {
    Generated generated = new Generated(seed, 1);

    byte[] ours = generated.page(PROTOBUF, bytes -> bytes);

    byte[] client =
        new ClientPage(generated.store, generated.config).writeProtobuf(generated.escaping());
    assertThat(ours).startsWith(client); // behind them stand the sidecar's own metrics
    assertThat(families(ours)).containsAllEntriesOf(families(client));
  }

  @ParameterizedTest(name = "seed={0}")
  @MethodSource("seeds")
  void protobuf_ofManySeriesAName_hasTheClientsMetrics(int seed) throws Exception {
    Generated generated = new Generated(seed, 6);

    Map<String, Metrics.MetricFamily> ours = families(generated.page(PROTOBUF, bytes -> bytes));
    Map<String, Metrics.MetricFamily> client =
        families(
            new ClientPage(generated.store, generated.config).writeProtobuf(generated.escaping()));

    assertThat(ours).containsAllEntriesOf(client);
    ours.keySet().removeIf(name -> name.startsWith("hdr_sidecar") || name.startsWith("hdr__"));
    assertThat(ours.keySet()).isEqualTo(client.keySet());
  }

  /** By name, their metrics in the order of their labels. */
  private static Map<String, Metrics.MetricFamily> families(byte[] page) throws IOException {
    Map<String, Metrics.MetricFamily> families = new HashMap<>();
    ByteArrayInputStream in = new ByteArrayInputStream(page);
    while (in.available() > 0) {
      Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
      List<Metrics.Metric> sorted = new ArrayList<>(family.getMetricList());
      sorted.sort(Comparator.comparing(metric -> metric.getLabelList().toString()));
      families.put(family.getName(), family.toBuilder().clearMetric().addAllMetric(sorted).build());
    }
    return families;
  }

  /** The page without the sidecar's own metrics. */
  private static String textOfSeries(byte[] page) {
    StringBuilder series = new StringBuilder();
    for (String line : new String(page, StandardCharsets.UTF_8).split("(?<=\n)", -1)) {
      if (!line.matches("(?s)(# [A-Z]+ )?hdr_.*")) {
        series.append(line);
      }
    }
    return series.toString();
  }

  /** A store, a configuration and an Accept header of one seed. */
  private static final class Generated {
    private final SplittableRandom random;
    private final SeriesStore store;
    private final ExposeConfig config;
    private final String scheme;

    /** Now, and every third time at a whole second, of which protobuf writes no nanoseconds. */
    private static Instant createdAt(int seed) {
      return Instant.now().with(ChronoField.MILLI_OF_SECOND, seed % 3 == 0 ? 0 : 1 + seed);
    }

    Generated(int seed, int seriesOfAName) throws Exception {
      random = new SplittableRandom(seed);
      scheme = SCHEMES.get(seed % SCHEMES.size());
      List<WindowSpec> windows = WindowSpec.parseList(seriesOfAName == 1 ? "10s" : "10s,5m");
      store =
          new SeriesStore(
              new MergeConfig(100, 4, 1 << 19, windows),
              Clock.fixed(createdAt(seed), ZoneOffset.UTC),
              System::nanoTime);
      config =
          new ExposeConfig(
              random.nextBoolean() ? List.of(0.0, 0.5, 0.99999, 1.0) : List.of(),
              List.of(1e-9, 0.001, 0.0123, 0.3, 10.0, 3e9),
              List.of(0.5, 1024.0),
              random.nextBoolean() ? List.of() : List.of(-1.0, 0.0, 1e7),
              random.nextInt(-4, 9),
              16 + random.nextInt(200));
      for (int name = 0; name < 5; name++) {
        Unit unit = pick(List.of(Unit.values()));
        String help = pick(TEXTS);
        for (int i = 0; i < seriesOfAName; i++) {
          Labels labels = labels(i);
          for (int layouts = random.nextInt(1, 3); layouts > 0; layouts--) {
            int digits = random.nextInt(1, 5);
            Recording.record(
                store,
                Recording.definition("n" + name + ":a_b", labels, unit, help, digits),
                values());
          }
        }
      }
    }

    private <T> T pick(List<T> from) {
      return from.get(random.nextInt(from.size()));
    }

    private Labels labels(int distinct) {
      Map<String, String> labels = new HashMap<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        labels.put(pick(LABEL_NAMES), pick(TEXTS));
      }
      if (distinct > 0) {
        labels.put("s", "v" + distinct);
      }
      return Labels.of(labels);
    }

    private long[] values() {
      long[] values = new long[random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(300)];
      int maxBits = 2 + random.nextInt(60);
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextInt(20) == 0 ? 0 : random.nextLong(1L << random.nextInt(1, maxBits));
      }
      return values;
    }

    EscapingScheme escaping() {
      return EscapingScheme.fromAcceptHeader(PROTOBUF + scheme);
    }

    <T> T page(String accept, Function<byte[], T> read) throws IOException {
      Exposition exposition = new Exposition(config, store, new MetricRegistry());
      Page.of(exposition, accept + scheme, false);
      return read.apply(Page.of(exposition, accept + scheme, false).body().getBytes());
    }

    String client(io.prometheus.metrics.expositionformats.ExpositionFormatWriter writer)
        throws IOException {
      return new String(
          new ClientPage(store, config).write(writer, escaping()), StandardCharsets.UTF_8);
    }
  }
}
