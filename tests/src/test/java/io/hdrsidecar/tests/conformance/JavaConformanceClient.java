package io.hdrsidecar.tests.conformance;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.client.RecorderConfig;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The Java client as the conformance kit runs it: does what the lines of its input say. */
public final class JavaConformanceClient {
  private final Map<String, Duration> settings = new HashMap<>();
  private final Map<String, LatencyRecorder> recorders = new HashMap<>();

  private JavaConformanceClient() {}

  /** Reads to the line {@code close}, which closes the client. */
  public static void main(String[] args) throws IOException {
    new JavaConformanceClient().run();
  }

  private void run() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = in.readLine();
    while (line != null && line.startsWith("set ")) {
      String[] words = line.split(" ", -1);
      settings.put(words[1], Duration.ofMillis(Long.parseLong(words[2])));
      line = in.readLine();
    }
    try (HdrSidecarClient client = HdrSidecarClient.create(config())) {
      while (line != null && !line.equals("close")) {
        execute(client, line.split(" ", -1));
        line = in.readLine();
      }
    }
  }

  private ClientConfig config() {
    return ClientConfig.builder(System.getenv())
        .closeTimeout(setting("close_timeout_ms"))
        .stallTimeout(setting("stall_timeout_ms"))
        .backoff(setting("min_backoff_ms"), setting("max_backoff_ms"))
        .shutdownHook(false)
        .build();
  }

  private Duration setting(String name) {
    return settings.getOrDefault(name, Duration.ofSeconds(1));
  }

  private void execute(HdrSidecarClient client, String[] words) {
    switch (words[0]) {
      case "series" -> recorders.put(words[1], recorder(client, words));
      case "record" -> {
        LatencyRecorder recorder = recorder(words[1]);
        long times = words.length > 3 ? Long.parseLong(words[3]) : 1;
        for (long i = 0; i < times; i++) {
          recorder.record(Long.parseLong(words[2]));
        }
      }
      case "expected" ->
          recorder(words[1])
              .recordWithExpectedInterval(Long.parseLong(words[2]), Long.parseLong(words[3]));
      default -> throw new IllegalArgumentException("unknown line: " + String.join(" ", words));
    }
  }

  private LatencyRecorder recorder(String number) {
    return requireNonNull(recorders.get(number), "no such series");
  }

  private static LatencyRecorder recorder(HdrSidecarClient client, String[] words) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (int i = 7; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      labels.put(words[i].substring(0, equals), words[i].substring(equals + 1));
    }
    RecorderConfig config =
        new RecorderConfig(
            Unit.ofSymbol(words[3]),
            Long.parseLong(words[4]),
            Long.parseLong(words[5]),
            Integer.parseInt(words[6]),
            "");
    return client.recorder(words[2], Labels.of(labels), config);
  }
}
