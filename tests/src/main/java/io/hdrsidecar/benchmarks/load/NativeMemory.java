package io.hdrsidecar.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the memory of a JVM is, in MiB: what it has committed by category, by its own native memory
 * tracking, and what of it and of the files it maps is resident, by the kernel.
 */
record NativeMemory(Map<String, Double> committed, Map<String, Double> resident) {
  /** The option a JVM must have been started with. */
  static final String OPTION = "-XX:NativeMemoryTracking=summary";

  static final String TOTAL = "all";
  static final String ANONYMOUS = "anonymous";

  private static final Pattern CATEGORY =
      Pattern.compile("^-\\s+(?<name>.+?) \\(reserved=\\d+KB, committed=(?<kib>\\d+)KB.*");
  private static final Pattern ALL = Pattern.compile("^Total: .*committed=(?<kib>\\d+)KB.*");
  private static final Pattern MAPPING =
      Pattern.compile("^[0-9a-f]+-[0-9a-f]+ \\S+ \\S+ \\S+ \\S+\\s*(?<what>.*)$");
  private static final Pattern FIGURE =
      Pattern.compile("^(?<name>Rss|Anonymous):\\s+(?<kib>\\d+) kB$");

  static NativeMemory of(SidecarRun sidecar) throws IOException, InterruptedException {
    return new NativeMemory(
        committed(sidecar.jcmd("VM.native_memory", "summary")), resident(sidecar.usage().pid()));
  }

  private static Map<String, Double> committed(List<String> summary) {
    Map<String, Double> committed = new TreeMap<>();
    for (String line : summary) {
      Matcher category = CATEGORY.matcher(line);
      Matcher all = ALL.matcher(line);
      if (category.matches()) {
        committed.put(category.group("name"), mib(category));
      } else if (all.matches()) {
        committed.put(TOTAL, mib(all));
      }
    }
    return committed;
  }

  /** Pages of files that were not written to, by file; all others are anonymous. */
  private static Map<String, Double> resident(long pid) throws IOException {
    Map<String, Double> resident = new TreeMap<>();
    String file = "";
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps"))) {
      Matcher mapping = MAPPING.matcher(line);
      Matcher figure = FIGURE.matcher(line);
      if (mapping.matches()) {
        String what = mapping.group("what");
        file = what.startsWith("/") ? what.substring(what.lastIndexOf('/') + 1) : ANONYMOUS;
      } else if (figure.matches() && figure.group("name").equals("Rss")) {
        resident.merge(file, mib(figure), Double::sum);
        resident.merge(TOTAL, mib(figure), Double::sum);
      } else if (figure.matches() && !file.equals(ANONYMOUS)) {
        resident.merge(ANONYMOUS, mib(figure), Double::sum);
        resident.merge(file, -mib(figure), Double::sum);
      }
    }
    return resident;
  }

  private static double mib(Matcher kib) {
    return Long.parseLong(kib.group("kib")) / 1024.0;
  }
}
