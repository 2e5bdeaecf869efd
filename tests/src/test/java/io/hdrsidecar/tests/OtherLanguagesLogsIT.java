package io.hdrsidecar.tests;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Logs that the HdrHistogram packages of other languages write, with the values that this test
 * gives them: {@code log summarize}, {@code log buckets}, an upload and {@code log union} have the
 * buckets that HdrHistogram itself records. Some of these packages write a normalizing index offset
 * or a conversion ratio that mean nothing.
 */
final class OtherLanguagesLogsIT {
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final long FIRST_SECOND = 1_700_000_000;
  private static final Path TOOLS = Path.of("src/test").toAbsolutePath();

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  /** By tag. */
  private final Map<String, Histogram> recorded = new TreeMap<>();

  private Path values = Path.of("set below");

  @BeforeEach
  void recordValues() throws IOException {
    SplittableRandom random = new SplittableRandom(13);
    List<String> lines = new ArrayList<>();
    for (long second = FIRST_SECOND; second < FIRST_SECOND + 5; second++) {
      for (String tag : List.of("read", "write")) {
        Histogram histogram = recorded.computeIfAbsent(tag, t -> new Histogram(1, HIGHEST, 3));
        for (int i = 0; i < 2_000; i++) {
          long value = random.nextLong(1L << random.nextInt(1, 41));
          histogram.recordValue(value);
          lines.add(second + " " + tag + " " + value);
        }
      }
    }
    values = Files.write(folder.resolve("values.txt"), lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "webassembly"})
  void log_ofJavaScript_hasTheRecordedBuckets(String kind) throws Exception {
    Path program = Files.createDirectories(Path.of("target/hlogwriter-js").toAbsolutePath());
    for (String file : List.of("package.json", "package-lock.json", "write.js")) {
      Files.copy(
          TOOLS.resolve("js/hlogbuckets").resolve(file),
          program.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Tool.bring(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), program);
    List<String> write = new ArrayList<>(List.of("node", program.resolve("write.js").toString()));

    Path log = written(write, kind.isEmpty() ? List.of() : List.of(kind));

    assertHasTheRecordedBuckets(("npm hdr-histogram-js 3.0.1 " + kind).strip(), log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2.0", "1.4.0"})
  void log_ofGo_hasTheRecordedBuckets(String version) throws Exception {
    Path program = Path.of("target/hlogwriter-go-" + version).toAbsolutePath();
    String module = version.equals("1.2.0") ? "go.mod" : "go-" + version + ".mod";
    Tool.bring(
        List.of("go", "build", "-modfile=" + module, "-o", program.toString(), "."),
        TOOLS.resolve("go/hlogwriter"));

    Path log = written(List.of(program.toString()), List.of());

    assertHasTheRecordedBuckets("Go hdrhistogram-go v" + version, log);
  }

  /** Its writer has no tags. */
  @Test
  void log_ofPython_hasTheRecordedBuckets() throws Exception {
    String python = Tool.python("journal-readers-python", List.of("hdrhistogram==0.10.8"));
    Histogram all = new Histogram(1, HIGHEST, 3);
    recorded.values().forEach(all::add);
    recorded.clear();
    recorded.put("", all);

    Path log =
        written(List.of(python, TOOLS.resolve("python/hlog_write.py").toString()), List.of());

    assertHasTheRecordedBuckets("PyPI hdrhistogram 0.10.8", log);
  }

  @Test
  void log_ofRust_hasTheRecordedBuckets() throws Exception {
    String program = Tool.cargo(TOOLS.resolve("rust/hlogwriter"), "hlogwriter");

    Path log = written(List.of(program), List.of());

    assertHasTheRecordedBuckets("crate hdrhistogram 7.6.0", log);
  }

  private Path written(List<String> program, List<String> options)
      throws IOException, InterruptedException {
    Path log = folder.resolve("other.hlog");
    List<String> command = new ArrayList<>(program);
    command.add(values.toString());
    command.add(log.toString());
    command.addAll(options);
    Tool.run(command, Path.of("."));
    return log;
  }

  private void assertHasTheRecordedBuckets(String writer, Path log) throws Exception {
    assertThat(tool("summarize", "-f", "hgrm", log.toString())).isEqualTo(distributions());
    assertThat(tool("buckets", log.toString())).isEqualTo(rows());
    assertUploadHasThem(log);
    assertUnionHasThem(log);
    System.out.printf(
        "log of %s: count %d, %d buckets equal to what was recorded, by summarize, buckets, upload"
            + " and union%n",
        writer,
        recorded.values().stream().mapToLong(Histogram::getTotalCount).sum(),
        recorded.values().stream().mapToInt(one -> BucketTexts.of(one).size()).sum());
  }

  private List<String> tool(String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("log"));
    command.addAll(List.of(arguments));
    JavaProcess process = processes.start(command);
    assertThat(process.awaitExit()).as("%s", process).isZero();
    return process.output().lines().toList();
  }

  private List<String> distributions() {
    List<String> expected = new ArrayList<>();
    recorded.forEach(
        (tag, histogram) -> {
          if (!tag.isEmpty()) {
            expected.add("#[Tag: " + tag + "]");
          }
          ByteArrayOutputStream text = new ByteArrayOutputStream();
          histogram.outputPercentileDistribution(
              new PrintStream(text, true, StandardCharsets.US_ASCII), 1.0);
          expected.addAll(text.toString(StandardCharsets.US_ASCII).lines().toList());
        });
    return expected;
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>(List.of("Tag,Lowest,Highest,Count"));
    recorded.forEach(
        (tag, histogram) ->
            BucketTexts.of(histogram)
                .forEach(
                    bucket -> rows.add(tag + "," + bucket.replace("..", ",").replace(":", ","))));
    return rows;
  }

  private void assertUploadHasThem(Path log) throws Exception {
    SidecarProcess sidecar = processes.sidecar();

    assertThat(sidecar.post("/api/v1/intervals?name=other", log).getInteger("merged"))
        .isEqualTo(10);

    for (Map.Entry<String, Histogram> one : recorded.entrySet()) {
      String selector = "other{tag=\"" + one.getKey() + "\"}";
      assertThat(BucketTexts.of(sidecar.total(selector, "&buckets=true")))
          .isEqualTo(BucketTexts.of(one.getValue()));
    }
  }

  /** As the lines are, and added up; both read by HdrHistogram. */
  private void assertUnionHasThem(Path log) throws Exception {
    for (List<String> option : List.of(List.<String>of(), List.of("--interval=1h"))) {
      Path union = folder.resolve("union.hlog");
      List<String> arguments = new ArrayList<>(List.of("union", "-o", union.toString()));
      arguments.addAll(option);
      arguments.add(log.toString());
      tool(arguments.toArray(String[]::new));

      Map<String, Histogram> read = new TreeMap<>();
      try (HistogramLogReader reader = new HistogramLogReader(union.toString())) {
        for (EncodableHistogram next = reader.nextIntervalHistogram();
            next != null;
            next = reader.nextIntervalHistogram()) {
          String tag = next.getTag() == null ? "" : next.getTag();
          read.computeIfAbsent(tag, t -> new Histogram(1, HIGHEST, 3)).add((Histogram) next);
        }
      }
      assertThat(read.keySet()).isEqualTo(recorded.keySet());
      recorded.forEach(
          (tag, histogram) ->
              assertThat(BucketTexts.of(Objects.requireNonNull(read.get(tag))))
                  .isEqualTo(BucketTexts.of(histogram)));
    }
  }
}
