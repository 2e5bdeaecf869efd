package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The journal's files, and one that a client left behind, read by HdrHistogram's own readers in
 * Java, Python, Go and JavaScript.
 */
final class JournalReadersIT {
  private static final long HIGHEST = Duration.ofHours(1).toNanos();
  private static final Path TOOLS = Path.of("src/test").toAbsolutePath();

  @RegisterExtension final Processes processes = new Processes();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path journal = Path.of("set by JUnit");

  /** Tag, lowest and highest value of the bucket; count. */
  private final Map<String, Long> truth = new TreeMap<>();

  private final Map<String, Histogram> recorded = new TreeMap<>();
  private List<String> files = List.of();

  @BeforeEach
  void writeJournal() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--journal-directory=" + journal);
    HdrSidecarClient delivering = HdrSidecarClient.create(config(sidecar.ingestAddress()).build());
    record(delivering, 200_000, 9);
    assertThat(delivering.close(Duration.ofSeconds(60)).deliveredAll()).isTrue();
    HdrSidecarClient leaving =
        HdrSidecarClient.create(
            config("unix://" + journal.resolve("nobody.sock"))
                .spillFolder(journal.resolve("spill"))
                .build());
    record(leaving, 50_000, 10);
    Path spilled = Objects.requireNonNull(leaving.close(Duration.ofMillis(100)).spillFile());
    recorded.forEach((tag, histogram) -> add(truth, tag, histogram));
    try (Stream<Path> written = Files.list(journal)) {
      files =
          Stream.concat(
                  written.filter(f -> f.toString().matches(".*intervals-.*\\.hlog")),
                  Stream.of(spilled))
              .map(Path::toString)
              .sorted()
              .toList();
    }
  }

  private static ClientConfig.Builder config(String address) {
    return ClientConfig.builder().address(address).interval(Duration.ofMillis(20));
  }

  private void record(HdrSidecarClient client, int values, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < values; i++) {
      String route = "/r" + i % 3;
      long value = random.nextLong(1L << (1 + random.nextInt(40)));
      client.recorder("checkout", Labels.of("route", route)).record(value);
      recorded
          .computeIfAbsent("checkout{route=" + route + "}", t -> new Histogram(1, HIGHEST, 3))
          .recordValue(value);
    }
  }

  private static void add(Map<String, Long> buckets, String tag, Histogram histogram) {
    for (HistogramIterationValue value : histogram.recordedValues()) {
      long at = value.getValueIteratedTo();
      String bucket =
          String.join(
              "\t",
              tag,
              Long.toString(histogram.lowestEquivalentValue(at)),
              Long.toString(histogram.highestEquivalentValue(at)));
      buckets.merge(bucket, value.getCountAtValueIteratedTo(), Long::sum);
    }
  }

  @Test
  void journal_readByHistogramLogReader_hasTheRecordedBuckets() throws IOException {
    Map<String, Long> read = new TreeMap<>();
    int intervals = 0;
    for (String file : files) {
      try (HistogramLogReader reader = new HistogramLogReader(file)) {
        while (reader.hasNext()) {
          EncodableHistogram interval = reader.nextIntervalHistogram();
          if (interval instanceof Histogram histogram && isOurs(histogram.getTag())) {
            intervals++;
            add(read, histogram.getTag(), histogram);
            assertThat(System.currentTimeMillis() - histogram.getEndTimeStamp())
                .isBetween(0L, TimeUnit.HOURS.toMillis(1));
          }
        }
      }
    }
    assertHasTheTruth("Java, HdrHistogram", read);
    assertThat(intervals).isGreaterThanOrEqualTo(3);
  }

  @Test
  void journal_commentLines_areShorterThan128Bytes() throws IOException {
    for (String file : files) {
      assertThat(Files.readAllLines(Path.of(file), StandardCharsets.US_ASCII))
          .filteredOn(line -> line.startsWith("#"))
          .allSatisfy(line -> assertThat(line.length()).isLessThan(128));
    }
  }

  @Test
  void journal_readByPython_hasTheRecordedBuckets() throws Exception {
    String python = Tool.python("journal-readers-python", List.of("hdrhistogram==0.10.8"));

    List<String> command =
        new ArrayList<>(List.of(python, TOOLS.resolve("python/hlog_buckets.py").toString()));
    command.addAll(files);
    assertHasTheTruth("Python, hdrhistogram", buckets(Tool.run(command, Path.of("."))));
  }

  @Test
  void journal_readByGo_hasTheRecordedBuckets() throws Exception {
    Path program = Path.of("target/hlogbuckets").toAbsolutePath();
    Tool.bring(
        List.of("go", "build", "-o", program.toString(), "."), TOOLS.resolve("go/hlogbuckets"));

    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(files);
    assertHasTheTruth("Go, hdrhistogram-go", buckets(Tool.run(command, Path.of("."))));
  }

  @Test
  void journal_readByJavaScript_hasTheRecordedBuckets() throws Exception {
    Path program = Files.createDirectories(Path.of("target/hlogbuckets-js").toAbsolutePath());
    for (String file : List.of("package.json", "package-lock.json", "main.js")) {
      Files.copy(
          TOOLS.resolve("js/hlogbuckets").resolve(file),
          program.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Tool.bring(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), program);

    List<String> command = new ArrayList<>(List.of("node", program.resolve("main.js").toString()));
    command.addAll(files);
    assertHasTheTruth("JavaScript, hdr-histogram-js", buckets(Tool.run(command, Path.of("."))));
  }

  /** Compares, and prints a line for those who want to see it. */
  private void assertHasTheTruth(String reader, Map<String, Long> read) throws IOException {
    assertThat(read).isEqualTo(truth);
    long lines = 0;
    for (String file : files) {
      lines += Files.readAllLines(Path.of(file), StandardCharsets.US_ASCII).size();
    }
    System.out.printf(
        "journal read by %s: %s, %d lines, count %d, %d buckets equal to what was recorded%n",
        reader,
        files.stream().map(file -> Path.of(file).getFileName()).toList(),
        lines,
        read.values().stream().mapToLong(count -> count).sum(),
        read.size());
  }

  /** The sidecar's own pauses are in its journal as well. */
  private static boolean isOurs(String tag) {
    return tag.startsWith("checkout{");
  }

  private static Map<String, Long> buckets(String lines) {
    Map<String, Long> buckets = new TreeMap<>();
    for (String line : lines.lines().toList()) {
      int lastTab = line.lastIndexOf('\t');
      if (isOurs(line)) {
        buckets.put(line.substring(0, lastTab), Long.parseLong(line.substring(lastTab + 1)));
      }
    }
    return buckets;
  }
}
