package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.Host;
import io.hdrsidecar.benchmarks.ResultsFile;
import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Where a sidecar's processor time goes: {@code Profile merge|scrape [--agent libasyncProfiler.so]
 * [--seconds N] [--windows SPANS] [--history SIZE]}.
 *
 * <p>{@code merge} is the flood of {@link SocketThroughput} over a Unix socket, {@code scrape} the
 * 10,000 series of {@link TenThousandSeries} with one scrape after the other. With async-profiler
 * native code is seen, too; without, it is the JDK's flight recorder.
 */
public final class Profile {
  private static final String USAGE =
      "merge|scrape [--agent FILE] [--seconds N] [--windows SPANS] [--history SIZE]";

  private static final int WARM_UP_SECONDS = 15;
  private static final int SECONDS = 30;
  private static final int MOST = 15;
  private static final List<String> JVM =
      List.of("-Xmx2g", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

  private final String agent;
  private final int seconds;
  private final List<String> settings;
  private final Path folder = Files.createTempDirectory("hdr-profile");

  private Profile(Arguments arguments) throws IOException {
    agent = arguments.text("--agent", "");
    seconds = arguments.number("--seconds", SECONDS);
    settings =
        List.of(
            "--windows=" + arguments.text("--windows", "1m"),
            "--history-max-memory=" + arguments.text("--history", "64MiB"));
  }

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Arguments arguments = Arguments.ofMain(Profile.class, USAGE, args);
    Profile profile = new Profile(arguments);
    String before = Host.load();
    boolean merge = arguments.has("merge");
    if (merge == arguments.has("scrape")) {
      throw new IllegalArgumentException("either merge or scrape must be named");
    }
    TopFrames top = merge ? profile.merge() : profile.scrape();
    ResultsFile results =
        new ResultsFile("tests/benchmarks/profile" + arguments.without("--agent"));
    results.add(
        merge ? "profile of the merge path" : "profile of the scrape path",
        profile.about(merge, before, top),
        top.threads(5) + "\n" + top.frames(MOST));
    results.publish(true);
  }

  private String about(boolean merge, String loadBefore, TopFrames top) throws IOException {
    return String.format(
        Locale.ROOT,
        "%s `serve %s`, `java %s`. %d samples in %d s by the clock after %d s of warm-up %s, by %s."
            + " Load average: %s before, %s after.",
        merge
            ? "1,000 series flooded with raw intervals of 500 non-zero buckets over a Unix socket."
            : "10,000 series with an interval of 100 non-zero buckets a second, scraped without a"
                + " pause, protobuf and text in turn, with gzip as Prometheus asks for it.",
        String.join(" ", settings),
        String.join(" ", JVM),
        top.samples(),
        seconds,
        WARM_UP_SECONDS,
        merge ? "of its processor time" : "by the clock",
        agent.isEmpty()
            ? "the JDK's flight recorder, which sees Java code only, where it runs"
            : "async-profiler, event cpu, every ms",
        loadBefore,
        Host.load());
  }

  private TopFrames merge() throws IOException, InterruptedException {
    Cores cores = Cores.apart();
    try (SidecarRun sidecar = new SidecarRun(cores.sidecar(), Launch.java(), JVM, settings);
        Feeder feeder =
            new Feeder(
                cores.feeder(),
                Flood.class,
                SocketThroughput.flood(
                    sidecar, "Unix", 1000, 500, 0, WARM_UP_SECONDS, seconds + 5))) {
      Flood.awaitCpu(sidecar.usage(), WARM_UP_SECONDS * 1_000_000_000L);
      begin(sidecar);
      Flood.parkUntil(System.nanoTime() + seconds * 1_000_000_000L);
      TopFrames top = end(sidecar);
      requireAllCounted(sidecar, feeder.report());
      return top;
    }
  }

  private TopFrames scrape() throws IOException, InterruptedException {
    try (SidecarRun sidecar = new SidecarRun(List.of(), Launch.java(), JVM, settings);
        Feeder feeder =
            new Feeder(
                List.of(),
                Pace.class,
                List.of(
                    sidecar.unixAddress(),
                    "10",
                    "0",
                    "1000",
                    "100",
                    Integer.toString(WARM_UP_SECONDS + seconds + 10)))) {
      scrapeUntil(sidecar, System.nanoTime() + WARM_UP_SECONDS * 1_000_000_000L);
      begin(sidecar);
      scrapeUntil(sidecar, System.nanoTime() + seconds * 1_000_000_000L);
      TopFrames top = end(sidecar);
      requireAllCounted(sidecar, feeder.report());
      return top;
    }
  }

  private static void requireAllCounted(SidecarRun sidecar, FeedReport sent)
      throws IOException, InterruptedException {
    if (!Counted.by(sidecar).isAllOf(sent)) {
      throw new IOException("not all intervals are counted: " + sent);
    }
  }

  private static void scrapeUntil(SidecarRun sidecar, long nanoTime)
      throws IOException, InterruptedException {
    while (System.nanoTime() - nanoTime < 0) {
      sidecar.get("/metrics", MeasuredSeconds.PROTOBUF);
      sidecar.get("/metrics", MeasuredSeconds.TEXT);
    }
  }

  private void begin(SidecarRun sidecar) throws IOException, InterruptedException {
    if (agent.isEmpty()) {
      sidecar.jcmd("JFR.start", "name=profile", "settings=profile");
    } else {
      sidecar.jcmd("JVMTI.agent_load", agent, "\"start,event=cpu,interval=1ms,threads\"");
    }
  }

  private TopFrames end(SidecarRun sidecar) throws IOException, InterruptedException {
    if (agent.isEmpty()) {
      Path recording = folder.resolve("profile.jfr");
      sidecar.jcmd("JFR.stop", "name=profile", "filename=" + recording);
      return TopFrames.ofRecording(recording);
    }
    Path stacks = folder.resolve("stacks");
    // In quotes, as jcmd takes what has an equals sign for a named argument.
    sidecar.jcmd("JVMTI.agent_load", agent, "\"stop,collapsed,file=" + stacks + "\"");
    System.out.println("stacks: " + stacks);
    return TopFrames.ofCollapsed(stacks);
  }
}
