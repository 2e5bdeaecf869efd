package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.Host;
import io.hdrsidecar.benchmarks.ResultsFile;
import io.hdrsidecar.benchmarks.footprint.SeriesLoad;
import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Where the memory of a sidecar with 100 series is, and how long it takes to start: {@code
 * Footprint [--image-java JDK25/bin/java] [--jvm "OPTIONS"] [--seconds N] [--starts N]}.
 *
 * <p>The plain jar by the java of this program, with options if wanted, and beside it, with a JDK
 * 25, the JVM of the image ({@link ImageJvm}).
 */
public final class Footprint {
  private static final String USAGE =
      "[--image-java FILE] [--jvm \"OPTIONS\"] [--seconds N] [--starts N]";

  private static final int SERIES = 100;
  private static final int VALUES = 100;
  private static final int SECONDS = 70;
  private static final int STARTS = 11;
  private static final double SHOWN_MIB = 0.5;

  /** The image's environment. */
  private static final List<String> IMAGE_PREFIX = List.of("env", "MALLOC_ARENA_MAX=1");

  /** A JVM to measure. */
  private record Jvm(String name, List<String> prefix, Path java, List<String> options) {}

  private Footprint() {}

  /** See the class. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Arguments arguments = Arguments.ofMain(Footprint.class, USAGE, args);
    int seconds = arguments.number("--seconds", SECONDS);
    int starts = arguments.number("--starts", STARTS);
    String before = Host.load();
    Cores cores = Cores.apart();
    List<Jvm> jvms = jvms(arguments);
    List<NativeMemory> memory = new ArrayList<>();
    StringBuilder startTable =
        new StringBuilder(
            """
            | JVM | by the clock, ms: least | median | processor, ms: least | median |
            |---|---|---|---|---|
            """);
    for (Jvm jvm : jvms) {
      memory.add(underLoad(jvm, seconds));
      startTable.append("| ").append(jvm.name()).append(" | ");
      startTable.append(starts(starts, cores, jvm).row()).append(" |\n");
    }
    ResultsFile results =
        new ResultsFile(
            "java -cp tests/target/benchmarks.jar "
                + Footprint.class.getName()
                + arguments.without("--image-java")
                + (arguments.has("--image-java") ? " --image-java JDK25/bin/java" : ""));
    results.add(
        "memory of the process",
        String.format(
            Locale.ROOT,
            "After %d s of %d series with %d values a second each, over a Unix socket, scraped each"
                + " 5 s with gzip. First what the JVM has committed, by its native memory tracking"
                + " (whose own share it would not have otherwise), then what is resident, by the"
                + " kernel: pages of files by file, all else is anonymous. In MiB; rows below %s are"
                + " left out."
                + " Load average: %s before, %s after.%n%n%s",
            seconds,
            SERIES,
            VALUES,
            SHOWN_MIB,
            before,
            Host.load(),
            describe(jvms)),
        memoryTable(jvms, memory));
    results.add(
        "starts",
        starts
            + " of each, from the start of the process to the first 200 from `/-/ready`. "
            + (cores.pinned()
                ? "The sidecar has one processor (`taskset`), which other load may use, too."
                : "On all processors, as there is no taskset or only one processor."),
        startTable.toString());
    results.publish(true);
  }

  private static List<Jvm> jvms(Arguments arguments) throws IOException, InterruptedException {
    List<Jvm> jvms = new ArrayList<>();
    jvms.add(
        new Jvm(
            "JDK " + Runtime.version().feature() + ", plain jar",
            List.of(),
            Launch.java(),
            arguments.words("--jvm", "")));
    if (arguments.has("--image-java")) {
      Path java = Path.of(arguments.text("--image-java", ""));
      List<String> options = ImageJvm.train(java, Files.createTempDirectory("hdr-image"));
      jvms.add(new Jvm("JDK 25 as in the image", IMAGE_PREFIX, java, options));
    }
    return jvms;
  }

  private static StartTimes starts(int starts, Cores cores, Jvm jvm)
      throws IOException, InterruptedException {
    List<String> prefix = new ArrayList<>(cores.sidecar());
    prefix.addAll(jvm.prefix());
    return StartTimes.of(starts, prefix, jvm.java(), jvm.options());
  }

  private static String describe(List<Jvm> jvms) {
    StringBuilder all = new StringBuilder();
    for (Jvm jvm : jvms) {
      all.append("- ").append(jvm.name()).append(": `java ");
      jvm.options().forEach(option -> all.append(option.replaceAll("=/.*/", "=")).append(' '));
      all.append("-jar hdr-sidecar.jar serve`\n");
    }
    return all.toString();
  }

  private static NativeMemory underLoad(Jvm jvm, int seconds)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(jvm.options());
    options.add(NativeMemory.OPTION);
    try (SidecarRun sidecar = new SidecarRun(jvm.prefix(), jvm.java(), options, List.of())) {
      Process load =
          new ProcessBuilder(
                  Launch.program(
                      List.of(),
                      SeriesLoad.class,
                      List.of(
                          sidecar.unixAddress(),
                          Integer.toString(SERIES),
                          Integer.toString(VALUES),
                          Integer.toString(seconds + 10))))
              .inheritIO()
              .start();
      try {
        long start = System.nanoTime();
        for (int second = 5; second <= seconds; second += 5) {
          Flood.parkUntil(start + second * 1_000_000_000L);
          sidecar.get("/metrics", MeasuredSeconds.PROTOBUF);
        }
        return NativeMemory.of(sidecar);
      } finally {
        load.destroyForcibly();
      }
    }
  }

  private static String memoryTable(List<Jvm> jvms, List<NativeMemory> memory) {
    StringBuilder table = new StringBuilder("| |");
    jvms.forEach(jvm -> table.append(' ').append(jvm.name()).append(" |"));
    table.append("\n|---|").append("---|".repeat(jvms.size())).append('\n');
    rows(table, "committed", memory.stream().map(NativeMemory::committed).toList());
    rows(table, "resident", memory.stream().map(NativeMemory::resident).toList());
    return table.toString();
  }

  private static void rows(StringBuilder table, String kind, List<Map<String, Double>> figures) {
    TreeSet<String> names = new TreeSet<>();
    figures.forEach(
        all ->
            all.forEach(
                (name, mib) -> {
                  if (mib >= SHOWN_MIB && !name.equals(NativeMemory.TOTAL)) {
                    names.add(name);
                  }
                }));
    List<String> rows = new ArrayList<>(names);
    rows.add(0, NativeMemory.TOTAL);
    for (String name : rows) {
      table.append("| ").append(kind).append(": ").append(name).append(" |");
      for (Map<String, Double> all : figures) {
        Double mib = all.get(name);
        table.append(mib == null ? " |" : String.format(Locale.ROOT, " %.1f |", mib));
      }
      table.append('\n');
    }
  }
}
