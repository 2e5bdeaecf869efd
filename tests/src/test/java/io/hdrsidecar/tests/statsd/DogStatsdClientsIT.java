package io.hdrsidecar.tests.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import com.timgroup.statsd.NonBlockingStatsDClientBuilder;
import com.timgroup.statsd.StatsDClient;
import io.hdrsidecar.tests.support.BucketTexts;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * DataDog's clients for Go, Java and Python, and hot-shots for Node, send to a real sidecar: what
 * they were given is counted, their sum is exact, and the buckets are those that HdrHistogram
 * itself counts. So few values that the receive buffer holds all of them, whatever the machine does
 * meanwhile.
 */
final class DogStatsdClientsIT {
  private static final int VALUES = 1_000;
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final Path TOOLS = Path.of("src/test").toAbsolutePath();
  private static final Pattern UDP = Pattern.compile("address=udp://(?<address>[0-9.]+:\\d+)");
  private static final String TAG = "{env=\"test\"}";

  @RegisterExtension final Processes processes = new Processes();

  @TempDir Path folder = Path.of("set by JUnit");

  private final Histogram sizes = new Histogram(1, 1L << 40, 3);
  private final Histogram times = new Histogram(1, HIGHEST, 3);
  private final List<String> lines = new ArrayList<>();
  private long sumOfSizes;
  private long nanos;
  private Path values = Path.of("set below");

  /** Milliseconds are eighths, which every client writes without rounding. */
  @BeforeEach
  void makeValues() throws IOException {
    SplittableRandom random = new SplittableRandom(21);
    for (int i = 0; i < VALUES; i++) {
      long size = random.nextLong(1L << random.nextInt(1, 30));
      sizes.recordValue(size);
      sumOfSizes += size;
      lines.add("d " + size);
      long eighths = random.nextLong(1L << random.nextInt(1, 16));
      times.recordValue(eighths * 125_000);
      nanos += eighths * 125_000;
      lines.add("ms " + BigDecimal.valueOf(eighths).divide(BigDecimal.valueOf(8)));
    }
    values = Files.write(folder.resolve("values.txt"), lines);
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp", "unixgram", "unixstream"})
  void datadogGo_sent_isCounted(String way) throws Exception {
    Path program = Path.of("target/dogstatsd-go").toAbsolutePath();
    Tool.bring(
        List.of("go", "build", "-o", program.toString(), "."), TOOLS.resolve("go/dogstatsd"));
    SidecarProcess sidecar = sidecar();

    Tool.run(
        List.of(program.toString(), addressOf(sidecar, way, "", "unix://"), values.toString()),
        Path.of("."));

    assertCounted("Go datadog-go v5.9.1, " + way, sidecar);
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp", "unixgram"})
  void datadogPython_sent_isCounted(String way) throws Exception {
    String python = Tool.python("dogstatsd-python", List.of("datadog==0.56.0"));
    SidecarProcess sidecar = sidecar();

    Tool.run(
        List.of(
            python,
            TOOLS.resolve("python/dogstatsd_send.py").toString(),
            addressOf(sidecar, way, "udp://", "unix://"),
            values.toString()),
        Path.of("."));

    assertCounted("Python datadog 0.56.0, " + way, sidecar);
  }

  /**
   * Its times are whole milliseconds. What has eighths goes as seconds with the six decimals that
   * it writes, under a name that says so, and is counted in the same series.
   */
  @ParameterizedTest
  @ValueSource(strings = {"udp", "unixgram", "unixstream"})
  void datadogJava_sent_isCounted(String way) throws Exception {
    SidecarProcess sidecar = sidecar();
    Queue<Exception> problems = new ConcurrentLinkedQueue<>();
    String scheme = way.equals("udp") ? "udp://" : way + "://";
    try (StatsDClient client =
        new NonBlockingStatsDClientBuilder()
            .address(scheme + addressOf(sidecar, way, "", ""))
            .constantTags("env:test")
            .errorHandler(problems::add)
            .blocking(true)
            .build()) {
      for (String line : lines) {
        String number = line.substring(line.indexOf(' ') + 1);
        if (line.startsWith("d ")) {
          client.recordDistributionValue("client.size", Long.parseLong(number));
        } else if (number.contains(".")) {
          double seconds = new BigDecimal(number).movePointLeft(3).doubleValue();
          client.recordDistributionValue("client.time.seconds", seconds);
        } else {
          client.recordExecutionTime("client.time", Long.parseLong(number));
        }
      }
    }

    assertThat(problems).isEmpty();
    assertCounted("Java java-dogstatsd-client 4.4.5, " + way, sidecar);
  }

  @Test
  void hotShots_sent_isCounted() throws Exception {
    Path program = Files.createDirectories(Path.of("target/dogstatsd-js").toAbsolutePath());
    for (String file : List.of("package.json", "package-lock.json", "send.js")) {
      Files.copy(
          TOOLS.resolve("js/dogstatsd").resolve(file),
          program.resolve(file),
          StandardCopyOption.REPLACE_EXISTING);
    }
    Tool.bring(
        List.of("npm", "ci", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"),
        program);
    SidecarProcess sidecar = sidecar();

    String[] address = addressOf(sidecar, "udp", "", "").split(":", -1);
    Tool.run(
        List.of(
            "node",
            program.resolve("send.js").toString(),
            address[0],
            address[1],
            values.toString()),
        Path.of("."));

    assertCounted("Node hot-shots 17.1.1, udp", sidecar);
  }

  private SidecarProcess sidecar() throws InterruptedException {
    return processes.sidecar(
        0,
        "--statsd-udp-address=127.0.0.1:0",
        "--statsd-unix-datagram=" + folder.resolve("unixgram"),
        "--statsd-unix-stream=" + folder.resolve("unixstream"));
  }

  private String addressOf(SidecarProcess sidecar, String way, String ofUdp, String ofUnix)
      throws InterruptedException {
    return way.equals("udp")
        ? ofUdp + sidecar.awaitLine(UDP).group("address")
        : (way.equals("unixstream") && ofUnix.equals("unix://") ? "unixstream://" : ofUnix)
            + folder.resolve(way);
  }

  private void assertCounted(String client, SidecarProcess sidecar) throws Exception {
    JsonObject size = counted(sidecar, "client_size" + TAG);
    JsonObject time = counted(sidecar, "client_time" + TAG);

    assertThat(BucketTexts.of(size)).isEqualTo(BucketTexts.of(sizes));
    assertThat(BucketTexts.of(time)).isEqualTo(BucketTexts.of(times));
    assertThat(size.getString("sum")).isEqualTo(String.valueOf(sumOfSizes));
    assertThat(time.getString("sum")).isEqualTo(String.valueOf(nanos));
    System.out.printf(
        "%s: sent %d and %d, counted %d and %d, sums exact, buckets equal to HdrHistogram's%n",
        client, VALUES, VALUES, size.getLong("count"), time.getLong("count"));
  }

  private static JsonObject counted(SidecarProcess sidecar, String selector) throws Exception {
    return Eventually.gives(
        () -> {
          JsonObject total = sidecar.total(selector, "&buckets=true");
          assertThat(total.getLong("count")).as("%s", selector).isEqualTo(VALUES);
          return total;
        });
  }
}
