package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.Host;
import io.hdrsidecar.benchmarks.ResultsFile;
import io.hdrsidecar.benchmarks.footprint.SeriesLoad;
import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What it costs a sidecar with 100 series to hand on what it merged: {@code HandingOn [--jvm
 * "OPTIONS"] [--seconds N]}. Two sidecars with a journal get the same load at the same time, and
 * one of them hands on to a third.
 */
public final class HandingOn {
  private static final String USAGE = "[--jvm \"OPTIONS\"] [--seconds N]";

  private static final int SERIES = 100;
  private static final int VALUES = 100;
  private static final int SECONDS = 120;
  private static final int WARM_UP_SECONDS = 60;
  private static final String JOURNAL = "--journal-directory=FOLDER/journal";

  private HandingOn() {}

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Arguments arguments = Arguments.ofMain(HandingOn.class, USAGE, args);
    int seconds = arguments.number("--seconds", SECONDS);
    List<String> jvm = arguments.words("--jvm", "-XX:+UseSerialGC");
    String before = Host.load();
    List<Process> loads = new ArrayList<>();
    try (SidecarRun upper = run(jvm, JOURNAL);
        SidecarRun alone = run(jvm, JOURNAL);
        SidecarRun handing = run(jvm, JOURNAL, "--upstream-address=" + upper.tcpAddress())) {
      for (SidecarRun lower : List.of(alone, handing)) {
        loads.add(load(lower, seconds));
      }
      Thread.sleep(WARM_UP_SECONDS * 1000L);
      long[] start = {cpu(alone), cpu(handing), cpu(upper)};
      long startValues = acknowledged(handing);
      long startNanos = System.nanoTime();
      Thread.sleep(seconds * 1000L);
      double nanos = System.nanoTime() - startNanos;
      double[] cores = {
        (cpu(alone) - start[0]) / nanos,
        (cpu(handing) - start[1]) / nanos,
        (cpu(upper) - start[2]) / nanos
      };
      long values = acknowledged(handing) - startValues;
      publish(arguments, seconds, before, cores, values);
    } finally {
      loads.forEach(Process::destroyForcibly);
    }
  }

  private static SidecarRun run(List<String> jvm, String... settings)
      throws IOException, InterruptedException {
    return new SidecarRun(List.of(), Launch.java(), jvm, List.of(settings));
  }

  private static Process load(SidecarRun sidecar, int seconds) throws IOException {
    List<String> arguments =
        List.of(
            sidecar.unixAddress(),
            Integer.toString(SERIES),
            Integer.toString(VALUES),
            Integer.toString(WARM_UP_SECONDS + seconds + 20));
    return new ProcessBuilder(Launch.program(List.of(), SeriesLoad.class, arguments))
        .inheritIO()
        .start();
  }

  private static long cpu(SidecarRun sidecar) throws IOException {
    return sidecar.usage().cpuNanos();
  }

  private static long acknowledged(SidecarRun sidecar) throws IOException, InterruptedException {
    return (long)
        Double.parseDouble(sidecar.sample("hdr_sidecar_upstream_acknowledged_values_total"));
  }

  private static void publish(
      Arguments arguments, int seconds, String before, double[] cores, long values)
      throws IOException {
    ResultsFile results = new ResultsFile(arguments.command(HandingOn.class));
    results.add(
        "handing on",
        String.format(
            Locale.ROOT,
            "%d s of %d series with %d values a second each, an interval a second, with a journal;"
                + " handed on every 10 s: %,d values acknowledged meanwhile. Load average: %s"
                + " before, %s after.",
            seconds,
            SERIES,
            VALUES,
            values,
            before,
            Host.load()),
        String.format(
            Locale.ROOT,
            """
            | sidecar | of a core |
            |---|---|
            | hands nothing on | %.2f %% |
            | hands on | %.2f %% |
            | difference | %.2f %% |
            | the one above, for this one below | %.2f %% |
            """,
            100 * cores[0],
            100 * cores[1],
            100 * (cores[1] - cores[0]),
            100 * cores[2]));
    results.publish(true);
  }
}
