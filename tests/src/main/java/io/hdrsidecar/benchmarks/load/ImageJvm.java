package io.hdrsidecar.benchmarks.load;

import io.hdrsidecar.benchmarks.footprint.SeriesLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * The JVM of the image without the image: a JDK 25 with the flags of {@code k8s/image/java.options}
 * and an archive of the classes that a sidecar used in a training run, made as {@code
 * k8s/image/assemble.sh} makes it.
 */
final class ImageJvm {
  /** What 38 % of the usual limit of 128 MiB come to; there is no limit here. */
  private static final List<String> HEAP = List.of("-Xmx48m", "-Xms8m");

  private ImageJvm() {}

  /** Trains, and gives the flags to start a sidecar with. */
  static List<String> train(Path java, Path folder) throws IOException, InterruptedException {
    Path used = folder.resolve("used.list");
    Path list = folder.resolve("classes.list");
    Path archive = folder.resolve("classes.jsa");
    for (Path made : List.of(folder, used, list, archive)) {
      made.toFile().deleteOnExit();
    }
    List<String> training =
        List.of("-Xmx64m", "-Xshare:off", "-Xlog:disable", "-XX:DumpLoadedClassList=" + used);
    try (SidecarRun sidecar =
        new SidecarRun(List.of(), java, training, List.of("--http-host=127.0.0.1"))) {
      SeriesLoad.main(new String[] {sidecar.unixAddress(), "8", "100", "2"});
      for (String type : MeasuredSeconds.PLAIN_TYPES) { // as the image's training asks for them
        sidecar.get("/metrics", "Accept", type);
      }
      sidecar.get("/-/ready");
      sidecar.get("/-/healthy");
    }
    Files.write(list, classes(used));
    List<String> flags = flags(archive);
    List<String> dump = new ArrayList<>(List.of(java.toString()));
    dump.addAll(flags);
    dump.addAll(
        List.of(
            "-Xmx256m",
            "-Xshare:dump",
            "-XX:+AOTClassLinking",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-XX:SharedClassListFile=" + list,
            "-jar",
            SidecarRun.jar().toString()));
    if (new ProcessBuilder(dump).inheritIO().start().waitFor() != 0) {
      throw new IOException("no archive of classes: " + dump);
    }
    List<String> all = new ArrayList<>(flags);
    all.addAll(HEAP);
    return all;
  }

  /** Names, lambdas, of which some are there twice, and what was resolved. */
  private static List<String> classes(Path used) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    List<String> lambdas = new ArrayList<>();
    TreeSet<String> resolved = new TreeSet<>();
    for (String line : Files.readAllLines(used)) {
      if (line.startsWith("@lambda")) {
        lambdas.add(line);
      } else if (line.startsWith("@cp")) {
        resolved.add(line);
      } else if (!line.startsWith("#") && !line.startsWith("@")) {
        int space = line.indexOf(' ');
        names.add(space < 0 ? line : line.substring(0, space));
      }
    }
    List<String> all = new ArrayList<>(names);
    Collections.sort(lambdas);
    all.addAll(lambdas);
    all.addAll(resolved);
    return all;
  }

  private static List<String> flags(Path archive) throws IOException {
    Path options = SidecarRun.jar().resolve("../../../k8s/image/java.options").normalize();
    return Files.readAllLines(options).stream()
        .filter(flag -> !flag.isBlank() && !flag.contains("RAMPercentage"))
        .map(flag -> flag.startsWith("-XX:SharedArchiveFile") ? archiveFlag(archive) : flag)
        .toList();
  }

  private static String archiveFlag(Path archive) {
    return "-XX:SharedArchiveFile=" + archive;
  }
}
