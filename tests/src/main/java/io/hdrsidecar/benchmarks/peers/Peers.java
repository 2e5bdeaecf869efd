package io.hdrsidecar.benchmarks.peers;

import io.hdrsidecar.benchmarks.Versions;
import io.hdrsidecar.benchmarks.peers.beside.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. Ends with 1 when hdr-sidecar lost an event or could not be measured. */
@Command(
    name = "tests/benchmarks/peers",
    mixinStandardHelpOptions = true,
    versionProvider = Peers.BenchmarkVersions.class,
    sortOptions = false,
    description =
        "Measures what one event costs with hdr-sidecar and with its peers, on loopback, one after"
            + " the other, and appends tables to RESULTS.md.")
public final class Peers implements Callable<Integer> {
  /** The window of hdr-sidecar's gauges, 1 minute, must hold a run. */
  private static final int MOST_SECONDS = 45;

  /** The heap of the sidecar is set for so many. */
  private static final int MOST_SERIES = 10_000;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "<peer>",
      description = "Which, besides the loop alone: ${COMPLETION-CANDIDATES}; all by default.",
      completionCandidates = Keys.class,
      converter = Keys.class)
  private List<Peer> peers = List.of();

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "<rate>",
      description = "Events a second, such as 1k,100k,1M.",
      converter = Rate.class)
  private List<Long> rates = List.of();

  @Option(
      names = "--series",
      split = ",",
      paramLabel = "<count>",
      description = "Numbers of series. With --rates: each with each.")
  private List<Integer> series = List.of();

  @Option(
      names = "--full",
      description =
          "All rates with all numbers of series; without, all rates with 100 series and all"
              + " numbers of series with 100k events a second.")
  private boolean full;

  @Option(
      names = "--quick",
      description = "Some seconds for few points of those that need no further program; no file.")
  private boolean quick;

  @Option(names = "--seconds", description = "Measured at each point; default: 8, quick 2.")
  private @Nullable Integer seconds;

  @Option(
      names = "--warm-up",
      description = "Seconds before that, in which the JVMs compile; default: 30, quick 2.")
  private @Nullable Integer warmUp;

  @Option(
      names = "--rounds",
      description = "Times all is measured, one peer after the other; the median is shown.",
      defaultValue = "1",
      showDefaultValue = CommandLine.Help.Visibility.ALWAYS)
  private int rounds = 1;

  @Option(
      names = "--sidecar-setting",
      paramLabel = "<flag>",
      description = "A further flag of serve, such as --self-hiccups=off.")
  private List<String> sidecarSettings = List.of();

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Where tables are appended; plots go to pictures/ beside it.")
  private @Nullable Path output;

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  private final List<PointResult> results = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private boolean oursFailed;

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Peers()).execute(args));
  }

  /** What was measured. */
  List<PointResult> results() {
    return results;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    int measured = seconds == null ? (quick ? 2 : 8) : seconds;
    int before = warmUp == null ? (quick ? 2 : 30) : warmUp;
    if (measured < 1 || before < 1 || measured + before > MOST_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds and --warm-up must be 1 at least and together at most "
              + MOST_SECONDS
              + ": "
              + measured
              + " and "
              + before);
    }
    if (rounds < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rounds must be 1 at least, but is " + rounds);
    }
    for (int count : series) {
      if (count < 1 || count > MOST_SERIES) {
        throw new ParameterException(
            spec.commandLine(), "--series must be 1 to 10,000 each, but has " + count);
      }
    }
    Checkout checkout = Checkout.find();
    Programs programs = checkout.programs(sidecarSettings);
    Machine machine = Machine.now(spec.commandLine(), programs);
    List<Peer> chosen = chosen(programs);
    List<Point> points = points();
    Path folder = Files.createTempDirectory("peers");
    try {
      PointRun run = new PointRun(programs, folder, before, measured);
      for (int round = 0; round < rounds; round++) {
        for (Point point : points) {
          for (Peer peer : chosen) {
            measure(run, peer, point);
          }
        }
      }
    } finally {
      Checkout.delete(folder);
    }
    Report report = new Report(machine.atEnd(), results, failures, measured, before, rounds);
    System.out.println(report.text());
    @Nullable Path file = output != null || quick ? output : checkout.results();
    if (file != null) {
      report.appendTo(file);
      System.out.println("appended to " + file);
    }
    boolean lost = results.stream().anyMatch(r -> r.peer() == Peer.HDR_SIDECAR && r.lost() != 0);
    return lost || oursFailed ? 1 : 0;
  }

  private List<Point> points() {
    if (full) {
      return Point.all();
    }
    return quick && rates.isEmpty() && series.isEmpty()
        ? Point.of(List.of(100_000L, 1_000_000L), List.of(Point.USUAL_SERIES))
        : Point.of(rates, series);
  }

  private List<Peer> chosen(Programs programs) {
    List<Peer> chosen = new ArrayList<>(List.of(Peer.NONE));
    for (Peer peer : Peer.values()) {
      boolean wanted =
          peers.isEmpty()
              ? !quick || peer.isInProcess() || peer == Peer.HDR_SIDECAR
              : peers.contains(peer);
      if (!wanted || peer == Peer.NONE) {
        continue;
      }
      if (programs.has(peer)) {
        chosen.add(peer);
      } else if (peer == Peer.HDR_SIDECAR) {
        throw new ParameterException(
            spec.commandLine(), "not built, run mvn -DskipTests package first: " + programs);
      } else {
        System.out.println(
            peer + " is left out: not in " + programs.binaries() + ", see footprint-peers");
      }
    }
    return chosen;
  }

  /** A peer that cannot be measured at a point is a result, too. */
  private void measure(PointRun run, Peer peer, Point point) throws InterruptedException {
    try {
      PointResult result = run.measure(peer, point);
      results.add(result);
      System.out.println(Report.progress(result));
    } catch (IOException e) {
      oursFailed |= peer == Peer.HDR_SIDECAR;
      failures.add(peer.title() + " at " + point + ": " + e.getMessage());
      System.out.println(failures.get(failures.size() - 1));
    }
  }

  /** That of the project. */
  static final class BenchmarkVersions implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"hdr-sidecar " + Versions.of("hdrsidecar")};
    }
  }

  /** Peers by the names of the command line. */
  static final class Keys implements ITypeConverter<Peer>, Iterable<String> {
    @Override
    public Peer convert(String key) {
      return Arrays.stream(Peer.values())
          .filter(peer -> peer.key().equals(key))
          .findFirst()
          .orElseThrow(
              () -> new CommandLine.TypeConversionException("must be a peer, see --help: " + key));
    }

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Peer.values()).filter(p -> p != Peer.NONE).map(Peer::key).iterator();
    }
  }

  /** {@code 1k}, {@code 5M}. */
  static final class Rate implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      String digits = text.replaceAll("[kM]$", "");
      long factor = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
      if (!digits.matches("[1-9]\\d{0,8}")) {
        throw new CommandLine.TypeConversionException(
            "must be a number from 1, with k or M if wanted: " + text);
      }
      return Long.parseLong(digits) * factor;
    }
  }
}
