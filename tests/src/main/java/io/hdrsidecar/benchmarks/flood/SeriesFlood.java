package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.hdrsidecar.series.Labels;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records into many series of a few names, as a service with too many labels does, and prints what
 * the sidecar counted of it: in series of their own, in overflow series, and not at all.
 *
 * <p>Arguments: the largest heap in MiB, series, values a second in each, seconds. The system
 * properties are those of {@link HeapFlood}. Exits with 1 when a value was lost or doubled.
 */
public final class SeriesFlood {
  private static final int NAMES = 5;
  private static final Pattern COUNT =
      Pattern.compile("\nflood\\d+_seconds_count\\{(?<labels>[^}]*)} (?<count>\\d+)");

  private SeriesFlood() {}

  /** Runs one flood. */
  public static void main(String[] args) throws Exception {
    if (args.length != 4) {
      System.err.println("usage: SeriesFlood <heap MiB> <series> <values a second> <seconds>");
      System.exit(2);
    }
    int[] numbers = List.of(args).stream().mapToInt(Integer::parseInt).toArray();
    System.exit(run(numbers[0], numbers[1], numbers[2], numbers[3]) ? 0 : 1);
  }

  private static boolean run(int heapMib, int series, int rate, int seconds) throws Exception {
    FloodedSidecar sidecar = FloodedSidecar.start(heapMib);
    try {
      long recorded = record(sidecar.ingest(), series, rate, seconds);
      String page = get(sidecar.http().resolve("/metrics"));
      long counted = 0;
      long inOverflow = 0;
      int exposed = 0;
      for (Matcher line = COUNT.matcher(page); line.find(); exposed++) {
        long count = Long.parseLong(line.group("count"));
        counted += count;
        inOverflow += line.group("labels").contains("overflow=\"true\"") ? count : 0;
      }
      JsonObject memory =
          new JsonObject(get(sidecar.http().resolve("/api/v1/status")))
              .getJsonObject("data")
              .getJsonObject("memory");
      System.out.printf(
          "flood of %d series x %d/s x %d s: heap=%d MiB bound=%d MiB recorded=%d counted=%d"
              + " exposed series=%d in overflow series=%d lost=%d doubled=%d%n",
          series,
          rate,
          seconds,
          memory.getLong("heapMaxBytes") >> 20,
          memory.getLong("boundBytes") >> 20,
          recorded,
          counted,
          exposed,
          inOverflow,
          Math.max(0, recorded - counted),
          Math.max(0, counted - recorded));
      return counted == recorded;
    } finally {
      sidecar.end();
    }
  }

  private static long record(String ingest, int series, int rate, int seconds) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    long recorded = 0;
    try (HdrSidecarClient client =
        HdrSidecarClient.create(ClientConfig.builder().address(ingest).build())) {
      List<LatencyRecorder> recorders = new ArrayList<>();
      for (int i = 0; i < series; i++) {
        String name = "flood" + i % NAMES;
        recorders.add(client.recorder(name, Labels.of("uri", "/path/" + i)));
      }
      long start = System.nanoTime();
      for (int round = 0; round < rate * seconds; round++) {
        long due = start + TimeUnit.SECONDS.toNanos(round) / rate;
        TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
        for (LatencyRecorder recorder : recorders) {
          // Around 3 ms, one in a hundred above 40 ms, as latencies are.
          recorder.record((long) (3e6 * Math.exp(random.nextGaussian() * 1.1)));
          recorded++;
        }
      }
      if (!client.close(Duration.ofSeconds(60)).deliveredAll()) {
        System.err.println("not all was delivered within a minute");
      }
    }
    return recorded;
  }

  private static String get(URI uri) throws IOException, InterruptedException {
    var answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build(),
                BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(uri + " answered " + answer.statusCode());
    }
    return answer.body();
  }
}
