package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.Host;
import io.hdrsidecar.benchmarks.ResultsFile;
import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What 10,000 series that send an interval each second cost a sidecar that is scraped each second:
 * {@code TenThousandSeries [--java FILE] [--jvm "OPTIONS"] [--settings "SETTINGS"] [--seconds N]
 * [--quick]}, first without a journal, then with one.
 *
 * <p>Two feeder processes ({@link Pace}) with five connections each. Ends with 1 when the sidecar
 * has not counted exactly what was sent.
 */
public final class TenThousandSeries {
  private static final String USAGE =
      "[--java FILE] [--jvm \"OPTIONS\"] [--settings \"SETTINGS\"] [--seconds N] [--quick]";

  private static final int PROCESSES = 2;
  private static final int CONNECTIONS_OF_EACH = 5;
  private static final int BUCKETS = 100;

  /** Until all windows are full and what runs often is compiled. */
  private static final int FILL_SECONDS = 70;

  private static final int SECONDS = 60;

  /** So long the feeders go on, so that none ends within the measured time. */
  private static final int MARGIN_SECONDS = 5;

  private static final double GOAL_MIB = 700;

  private final int seriesOfConnection;
  private final int fillSeconds;
  private final int seconds;
  private final Path java;
  private final List<String> jvm;
  private final List<String> settings;
  private final CountedTable table =
      new CountedTable(
          """
          | journal | processor | anonymous, MiB | RSS, MiB | scrape in protobuf: median, most, bytes | text: median, most, bytes | windows given up | late | counted |
          |---|---|---|---|---|---|---|---|---|
          """);

  private TenThousandSeries(Arguments arguments) {
    boolean quick = arguments.has("--quick");
    seriesOfConnection = quick ? 20 : 1000;
    fillSeconds = quick ? 2 : FILL_SECONDS;
    seconds = arguments.number("--seconds", quick ? 2 : SECONDS);
    java = Path.of(arguments.text("--java", Launch.java().toString()));
    jvm = arguments.words("--jvm", "");
    settings = arguments.words("--settings", "");
  }

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Arguments arguments = Arguments.ofMain(TenThousandSeries.class, USAGE, args);
    TenThousandSeries run = new TenThousandSeries(arguments);
    String before = Host.load();
    ResultsFile results = new ResultsFile(arguments.command(TenThousandSeries.class));
    run.table.add(run.measure(false));
    run.table.add(run.measure(true));
    results.add("10,000 series", run.about(before), run.table.toString());
    results.publish(!arguments.has("--quick"));
    System.exit(run.table.exitCode());
  }

  private String about(String loadBefore) throws IOException {
    return String.format(
        Locale.ROOT,
        "%,d series, each with an interval of %d non-zero buckets (3 digits, log-normal around 3 ms"
            + " with a spread of %s) a second, from %d connections of %d processes over a Unix"
            + " socket, each connection's at once; window 1m; one scrape a second, protobuf and text"
            + " in turn, with gzip as Prometheus asks for it, bytes as sent. `java %s`, %s."
            + " %d s to fill the windows, then measured for %d s: processor"
            + " time in percent of one core; most memory of samples each second. Late: seconds of a"
            + " connection not acknowledged before the next; with a journal an acknowledgement waits"
            + " for its flush. Goals: under 60 %% of a core and %.0f MiB, with a journal 80 %%. Load"
            + " average: %s before, %s after.",
        seriesOfConnection * CONNECTIONS_OF_EACH * PROCESSES,
        BUCKETS,
        IntervalPool.SPREAD,
        CONNECTIONS_OF_EACH * PROCESSES,
        PROCESSES,
        jvm.isEmpty() ? "without options" : String.join(" ", jvm),
        settings.isEmpty() ? "default settings" : "`" + String.join(" ", settings) + "`",
        fillSeconds,
        seconds,
        GOAL_MIB,
        loadBefore,
        Host.load());
  }

  private String measure(boolean journal) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(settings);
    if (journal) {
      all.add("--journal-directory=FOLDER/journal");
    }
    List<Feeder> feeders = new ArrayList<>();
    try (SidecarRun sidecar = new SidecarRun(List.of(), java, jvm, all)) {
      for (int i = 0; i < PROCESSES; i++) {
        feeders.add(pace(sidecar, i * CONNECTIONS_OF_EACH * seriesOfConnection));
      }
      MeasuredSeconds measured = new MeasuredSeconds(sidecar);
      measured.run(fillSeconds);
      measured.begin();
      measured.run(seconds);
      String figures = measured.row();
      FeedReport sent = new FeedReport(0, 0, 0, 0, 0, 0);
      for (Feeder feeder : feeders) {
        sent = sent.and(feeder.report());
      }
      return String.format(
          Locale.ROOT,
          "| %s | %s | %s | %d | %s |%n",
          journal ? "on" : "off",
          figures,
          sidecar.sample("hdr_sidecar_series_without_windows"),
          sent.late(),
          table.counted(sidecar, sent));
    } finally {
      feeders.forEach(Feeder::close);
    }
  }

  private Feeder pace(SidecarRun sidecar, int firstSeries) throws IOException {
    return new Feeder(
        List.of(),
        Pace.class,
        List.of(
            sidecar.unixAddress(),
            Integer.toString(CONNECTIONS_OF_EACH),
            Integer.toString(firstSeries),
            Integer.toString(seriesOfConnection),
            Integer.toString(BUCKETS),
            Integer.toString(fillSeconds + seconds + MARGIN_SECONDS)));
  }
}
