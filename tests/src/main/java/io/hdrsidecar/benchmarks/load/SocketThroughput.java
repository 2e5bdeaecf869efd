package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.Host;
import io.hdrsidecar.benchmarks.ResultsFile;
import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many interval histograms a second one core of a sidecar takes through a real socket, with all
 * checks: {@code SocketThroughput [--series N] [--only "WORDS"] [--settings "SETTINGS"] [--seconds
 * N] [--quick]}.
 *
 * <p>For each variant a sidecar on a processor of its own and a {@link Flood} on the other. Ends
 * with 1 when the sidecar has not counted exactly what was sent.
 */
public final class SocketThroughput {
  private static final String USAGE =
      "[--series N] [--only \"WORDS\"] [--settings \"SETTINGS\"] [--seconds N] [--quick]";

  private static final int SERIES = 1_000;
  private static final int CONNECTIONS = 4;
  private static final int SECONDS = 5;
  private static final int WARM_UP_SECONDS = 8;
  private static final double GOAL = 100_000;
  private static final List<String> JVM = List.of("-Xmx1g");

  private record Variant(
      String socket, int buckets, boolean deflated, boolean windows, boolean journal) {
    List<String> words() {
      return List.of(
          socket,
          Integer.toString(buckets),
          deflated ? "deflated" : "raw",
          windows ? "windows" : "no-windows",
          journal ? "journal" : "no-journal");
    }

    List<String> settings(List<String> common) {
      List<String> settings = new ArrayList<>(common);
      if (!windows) {
        settings.add("--windows=");
      }
      if (journal) {
        settings.add("--journal-directory=FOLDER/journal");
      }
      return settings;
    }
  }

  private final List<String> settings;
  private final int series;
  private final int warmUp;
  private final int seconds;
  private final Cores cores = Cores.apart();
  private final CountedTable table =
      new CountedTable(
          """
          | socket | non-zero buckets | payload | windows | journal | a second, by the clock | processor | a second of one core | counted |
          |---|---|---|---|---|---|---|---|---|
          """);

  private SocketThroughput(Arguments arguments, int warmUp, int seconds)
      throws InterruptedException {
    settings = arguments.words("--settings", "");
    series = arguments.number("--series", SERIES);
    this.warmUp = warmUp;
    this.seconds = seconds;
  }

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Arguments arguments = Arguments.ofMain(SocketThroughput.class, USAGE, args);
    boolean quick = arguments.has("--quick");
    int seconds = arguments.number("--seconds", quick ? 1 : SECONDS);
    SocketThroughput run = new SocketThroughput(arguments, quick ? 1 : WARM_UP_SECONDS, seconds);
    String before = Host.load();
    ResultsFile results = new ResultsFile(arguments.command(SocketThroughput.class));
    List<Variant> variants = variants(quick, arguments.words("--only", ""));
    for (Variant variant : variants) {
      run.table.add(run.measure(variant));
    }
    results.add("through a socket", run.about(before), run.table.toString());
    results.publish(!quick);
    System.exit(run.table.exitCode());
  }

  private String about(String loadBefore) throws IOException {
    return String.format(
        Locale.ROOT,
        "Interval histograms a second that one core of a sidecar takes: %d series with 3 digits on"
            + " %d connections of one feeder process, as fast as they are acknowledged, frames with"
            + " CRC-32C and all checks. %s, `java %s`, %s; %d s of its processor time are warm-up,"
            + " %d s are measured. By the clock, which is that of a machine with other load, and"
            + " for each second of the sidecar's processor time, all threads together. An interval"
            + " is one second long and ends when it is sent; a series gets many of them a second,"
            + " so several fall into one step of a window. In service a step of 1 s has one, which"
            + " is copied to it as it is and taken out when it leaves; here further ones are put"
            + " behind the first and added together only now and then: these additions make an"
            + " interval dearer than in service, while taking out a step, which several share,"
            + " makes it cheaper. A full history adds as many neighbours together as intervals"
            + " come. Counted: intervals by `/api/v1/series` and values by `/metrics` are exactly"
            + " those sent. Goal: %,.0f. Load average: %s before, %s after.",
        series,
        CONNECTIONS,
        cores.pinned()
            ? "The sidecar's JVM has one processor (`taskset`), the feeder the others"
            : "Not pinned, as there is no taskset or only one processor",
        String.join(" ", JVM),
        settings.isEmpty()
            ? "settings as by default, so with a history of 64 MiB"
            : "`" + String.join(" ", settings) + "`",
        warmUp,
        seconds,
        GOAL,
        loadBefore,
        Host.load());
  }

  /** All, or those to which all of these words apply. */
  private static List<Variant> variants(boolean quick, List<String> only) {
    List<Variant> variants = new ArrayList<>();
    for (String socket : List.of("Unix", "TCP")) {
      for (int buckets : new int[] {50, 500}) {
        for (boolean deflated : new boolean[] {false, true}) {
          for (boolean windows : new boolean[] {false, true}) {
            variants.add(new Variant(socket, buckets, deflated, windows, false));
            if (socket.equals("Unix") && !deflated) { // the journal does not know them apart
              variants.add(new Variant(socket, buckets, false, windows, true));
            }
          }
        }
      }
    }
    variants.removeIf(variant -> !variant.words().containsAll(only));
    return quick ? List.of(variants.get(0), variants.get(variants.size() - 1)) : variants;
  }

  private String measure(Variant variant) throws IOException, InterruptedException {
    int level = variant.deflated() ? 1 : 0;
    try (SidecarRun sidecar =
            new SidecarRun(cores.sidecar(), Launch.java(), JVM, variant.settings(settings));
        Feeder feeder =
            new Feeder(
                cores.feeder(),
                Flood.class,
                flood(
                    sidecar,
                    variant.socket(),
                    series,
                    variant.buckets(),
                    level,
                    warmUp,
                    seconds))) {
      FeedReport report = feeder.report();
      double rate = report.measured() * 1e9 / report.nanos();
      double ofCore = report.measured() * 1e9 / report.cpuNanos();
      return String.format(
          Locale.ROOT,
          "| %s | %d | %s, %d bytes | %s | %s | %,.0f | %.0f %% | **%,.0f**%s | %s |%n",
          variant.socket(),
          variant.buckets(),
          variant.deflated() ? "deflated" : "raw",
          new IntervalPool(variant.buckets(), level).payloadBytes(),
          variant.windows() ? "1m" : "none",
          variant.journal() ? "on" : "off",
          rate,
          100.0 * report.cpuNanos() / report.nanos(),
          ofCore,
          ofCore < GOAL ? ", below the goal" : "",
          table.counted(sidecar, report));
    }
  }

  /** Arguments of a {@link Flood}. */
  static List<String> flood(
      SidecarRun sidecar,
      String socket,
      int series,
      int buckets,
      int level,
      int warmUp,
      int seconds) {
    return List.of(
        socket.equals("Unix") ? sidecar.unixAddress() : sidecar.tcpAddress(),
        Integer.toString(CONNECTIONS),
        Integer.toString(series),
        Integer.toString(buckets),
        Integer.toString(level),
        Integer.toString(warmUp),
        Integer.toString(seconds),
        Long.toString(sidecar.usage().pid()));
  }
}
