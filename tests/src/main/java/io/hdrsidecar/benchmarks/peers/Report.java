package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.peers.beside.ClientLosses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The results of one run as a section of Markdown. */
final class Report {
  private static final String COLUMNS =
      """
      | peer | events/s | application | less the loop's | beside | together | × hdr-sidecar | afterwards | peak MiB | wire B/event | lost | error of p50 / p99 / p99.9 / max, % | page kB (as sent) | scrape ms |
      |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
      """;

  private static final String HOW_TO_READ =
      """

      Each peer ran alone with an application of its own, the same class with the same latencies (log-normal around 10 ms, one in a hundred slower with a Pareto tail) at the same pace from one thread, after five of each series that are not timed; every
      peer was scraped each second, as Prometheus does with native histograms. Costs are seconds of a processor for a million events (or µs an event), by the kernel's figures of each process in the {seconds} s
      after a warm-up of {warm-up} s; a hundredth of a second is the least the kernel tells.
      {rounds} "Together" is the application less the loop alone, plus the process beside; below five hundredths of a second in all it is `< x`, and there is no ratio. "Afterwards" is what both
      processes used, in the same unit, from the end of that time until the last event was on the page, a scrape a second included: work for events recorded before, which no other column has. Where more
      than a second's events were still missing at the end, the row says how many. Pages are asked for with gzip, as Prometheus does; who compresses how is said above. **Costs are per event recorded: a peer that
      loses events does less work and looks cheaper than it is.** "Wire" is what a proxy between both counted, of StatsD what its client says it sent; OTLP goes uncompressed, intervals of hdr-sidecar deflated at level 1. "Peak" is VmHWM, of a heap that may grow to 2 GiB and
      grows lazily. "Lost" is recorded less counted once all processes were at rest; of StatsD, what its client says it gave up as its queue was full is told from what got lost behind that. Errors are those of one series against its sorted list of values: of the window gauges (hdr-sidecar), of
      `histogram_quantile` over the native histogram as PromQL interpolates (StatsD, OpenTelemetry, Prometheus), of the summary and its maximum (Micrometer). Percentiles of hdr-sidecar's gauges and of
      Micrometer's summaries cannot be added up over instances in PromQL; native histograms can, with the error shown for them.
      """;

  private final Machine machine;
  private final Results results;
  private final List<String> failures;
  private final int seconds;
  private final int warmUpSeconds;
  private final int rounds;

  Report(
      Machine machine,
      List<PointResult> results,
      List<String> failures,
      int seconds,
      int warmUpSeconds,
      int rounds) {
    this.machine = machine;
    this.results = new Results(results);
    this.failures = failures;
    this.seconds = seconds;
    this.warmUpSeconds = warmUpSeconds;
    this.rounds = rounds;
  }

  /** One line while it runs. */
  static String progress(PointResult result) {
    return String.format(
        Locale.ROOT,
        "%s, %s: %s + %s CPU s/M events, afterwards %s, lost %d of %d",
        result.point(),
        result.peer().title(),
        Numbers.short3(result.applicationCost()),
        Numbers.short3(result.besideCost()),
        Numbers.short3(result.restCost()),
        result.lost(),
        result.recorded());
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("## ").append(machine.started().toLocalDate()).append(", what an event costs\n\n");
    text.append('`').append(machine.command()).append("`, ");
    text.append(machine.started().toLocalTime()).append(" UTC\n\n");
    text.append(machine.text()).append(", at the end ").append(machine.loadAtEnd()).append(".\n\n");
    for (Peer peer : results.peers()) {
      text.append("- ").append(peer.title()).append(": ").append(peer.about()).append(".\n");
    }
    text.append(
        HOW_TO_READ
            .replace("{rounds}", roundsText())
            .replace("{seconds}", Integer.toString(seconds))
            .replace("{warm-up}", Integer.toString(warmUpSeconds)));
    for (Point point : results.points()) {
      text.append("\n### ").append(point).append("\n\n").append(COLUMNS);
      results.at(point).forEach(result -> text.append(row(result)));
    }
    if (!failures.isEmpty()) {
      text.append("\n### Not measured\n\n");
      failures.forEach(failure -> text.append("- ").append(failure).append('\n'));
    }
    text.append(new Targets(results).text());
    return text.toString();
  }

  private String roundsText() {
    return rounds == 1
        ? "Each figure is one run of "
            + seconds
            + " s; loads before and after are stated; repeat before trusting a ratio below 2."
        : "Each row is that of "
            + rounds
            + " runs, one peer after the other in each round, whose cost was the median; least and most are in parentheses.";
  }

  /** Appends all to a file; draws only what is of all peers, since a picture has one name. */
  void appendTo(Path file) throws IOException {
    if (Files.notExists(file)) {
      Files.writeString(file, "# Benchmark results, newest last\n");
    }
    Files.writeString(file, "\n" + text(), StandardOpenOption.APPEND);
    if (results.isWhole()) {
      Path folder = Files.createDirectories(file.toAbsolutePath().resolveSibling("pictures"));
      String pictures =
          new Plots(results)
              .save(folder).stream()
                  .map(name -> "![" + name + "](pictures/" + name + ")\n")
                  .collect(Collectors.joining());
      Files.writeString(file, "\n" + pictures, StandardOpenOption.APPEND);
    }
  }

  private String row(PointResult result) {
    boolean loop = result.peer() == Peer.NONE;
    return "| "
        + String.join(
            " | ",
            loop ? "*" + result.peer().title() + "*" : title(result.peer()),
            Numbers.grouped(Math.round(result.reached()))
                + (result.keptPace() ? "" : " **(too slow)**"),
            Numbers.short3(result.applicationCost()),
            loop ? "" : results.lessLoop(result).map(Numbers::short3).orElse("–"),
            result.besidePeak() == 0 ? "" : Numbers.short3(result.besideCost()),
            loop ? "" : together(result),
            loop ? "" : results.ratio(result).map(Numbers::short3).orElse("–"),
            loop ? "" : afterwards(result),
            Numbers.mebibytes(result.applicationPeak())
                + (result.besidePeak() == 0 ? "" : " + " + Numbers.mebibytes(result.besidePeak())),
            result.besidePeak() == 0
                ? ""
                : Numbers.short3(result.wireBytes() / (double) result.recorded()),
            loop ? "" : lost(result),
            loop ? "" : errors(result),
            loop ? "" : kilobytes(result),
            loop ? "" : scrapes(result))
        + " |\n";
  }

  private static String title(Peer peer) {
    return peer == Peer.HDR_SIDECAR ? "**" + peer.title() + "**" : peer.title();
  }

  private String together(PointResult result) {
    String cost =
        results
            .together(result)
            .map(
                read ->
                    read < result.resolution()
                        ? "< " + Numbers.short3(result.resolution())
                        : Numbers.short3(read))
            .orElse("–");
    return cost
        + results
            .range(result)
            .map(range -> " (" + Numbers.short3(range[0]) + "–" + Numbers.short3(range[1]) + ")")
            .orElse("");
  }

  private static String afterwards(PointResult result) {
    return Numbers.short3(result.restCost())
        + (result.isBehind() ? ", **" + Numbers.grouped(result.late()) + " events late**" : "");
  }

  /** Of the run shown, and the most of other rounds, if that is more. */
  private String lost(PointResult result) {
    long most =
        results.runs(result.peer(), result.point()).stream()
            .mapToLong(PointResult::lost)
            .max()
            .orElse(0);
    return lostHere(result)
        + (most > result.lost() ? ", in another round " + Numbers.grouped(most) : "");
  }

  private static String lostHere(PointResult result) {
    if (result.lost() == 0) {
      return "0";
    }
    String lost =
        String.format(
            Locale.ROOT,
            "%,d of %,d (%s %%)",
            result.lost(),
            result.recorded(),
            Numbers.short3(100.0 * result.lost() / result.recorded()));
    @Nullable ClientLosses client = result.clientLosses();
    return client == null
        ? lost
        : String.format(
            Locale.ROOT,
            "%s: client's queue %,d, transport or exporter %,d%s",
            lost,
            client.events(),
            result.lost() - client.events(),
            client.packets() == 0
                ? ""
                : String.format(Locale.ROOT, " (%,d packets not sent)", client.packets()));
  }

  private static String errors(PointResult result) {
    String shown = percent(result.errors());
    return result.nativeErrors().stream().allMatch(error -> error.isNaN())
        ? shown
        : shown + "; native: " + percent(result.nativeErrors());
  }

  private static String percent(List<Double> errors) {
    return errors.stream()
        .map(error -> error.isNaN() ? "–" : String.format(Locale.ROOT, "%+.2f", 100 * error))
        .collect(Collectors.joining(" / "));
  }

  private static String kilobytes(PointResult result) {
    String page = Numbers.short3(result.pageBytes() / 1000.0);
    return result.sentBytes() == result.pageBytes()
        ? page
        : page + " (" + Numbers.short3(result.sentBytes() / 1000.0) + ")";
  }

  private static String scrapes(PointResult result) {
    return Numbers.short3(result.scrapeMillis())
        + (result.failedScrapes() == 0 ? "" : " (" + result.failedScrapes() + " failed)");
  }
}
