import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * The training run of the image: starts the command given as arguments, a sidecar, and has it do
 * once what it does in a pod: a client over the Unix socket, every form of a scrape, the probes,
 * SIGTERM. The JVM of the sidecar writes down which classes that took.
 *
 * <p>A single file for the JDK's source launcher, with the sidecar's jar on the class path. Ends
 * with a stack trace, and the build with it, when an answer is not what it should be.
 */
public final class Training {
  private static final String SOCKET = "unix:///run/hdr-sidecar/hdr-sidecar.sock";
  private static final String HTTP = "http://127.0.0.1:9925";
  private static final int SERIES = 8;
  private static final int VALUES = 1_000;

  /** What Prometheus asks for with and without native histograms, and what people's curl does. */
  private static final List<String> FORMATS =
      List.of(
          "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
          "application/openmetrics-text;version=1.0.0",
          "text/plain;version=0.0.4",
          "*/*");

  private static final List<String> PATHS = List.of("/-/healthy", "/-/ready");

  private Training() {}

  public static void main(String[] command) throws Exception {
    Process sidecar =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      BufferedReader output = sidecar.inputReader();
      String line = output.readLine();
      if (line == null || !line.contains(" event=ready ")) {
        throw new IllegalStateException("sidecar did not become ready: " + line);
      }
      record();
      scrape();
      sidecar.destroy(); // SIGTERM
      if (!sidecar.waitFor(60, TimeUnit.SECONDS) || sidecar.exitValue() != 0) {
        throw new IllegalStateException("sidecar did not end well after SIGTERM");
      }
    } finally {
      sidecar.destroyForcibly();
    }
  }

  private static void record() {
    HdrSidecarClient client =
        HdrSidecarClient.create(
            ClientConfig.builder().address(SOCKET).interval(Duration.ofMillis(100)).build());
    SplittableRandom random = new SplittableRandom(1);
    for (int series = 0; series < SERIES; series++) {
      LatencyRecorder recorder = client.recorder("training", Labels.of("n", "" + series));
      for (int i = 0; i < VALUES; i++) {
        recorder.record((long) (1e6 * Math.exp(random.nextGaussian())));
      }
    }
    if (!client.close(Duration.ofSeconds(30)).deliveredAll()) {
      throw new IllegalStateException("the client could not deliver all");
    }
  }

  private static void scrape() throws IOException, InterruptedException {
    HttpClient http = HttpClient.newHttpClient();
    for (String format : FORMATS) {
      String page = get(http, "/metrics", format);
      if (!page.contains("training_seconds")) {
        throw new IllegalStateException("no series in a page of " + format);
      }
    }
    for (String path : PATHS) {
      get(http, path, "*/*");
    }
  }

  private static String get(HttpClient http, String path, String accept)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(URI.create(HTTP + path)).header("Accept", accept).build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
