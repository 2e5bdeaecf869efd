package io.hdrsidecar.benchmarks.flood;

import io.hdrsidecar.client.ClientConfig;
import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.client.LatencyRecorder;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Attacks a sidecar with a small heap and prints what came of it.
 *
 * <p>Arguments: the largest heap in MiB, seconds, and attacks with their connections, such as
 * {@code frames=1000}: {@code frames}, {@code labels}, {@code short-labels}, {@code uploads},
 * {@code queries}, {@code scrapes}, {@code slow-scrapes}; {@code all} for all of them at once. The
 * system property {@code flood.options} has further options of {@code serve}, {@code flood.jar} the
 * jar to start instead of the classes at hand, {@code flood.jvm} options of its JVM. Exits with 1
 * when the sidecar did not live or an honest client was not exact.
 */
public final class HeapFlood {
  private static final Pattern READY =
      Pattern.compile("ready.*ingest=(?<ingest>tcp://\\S+).*http=(?<http>http://\\S+)");

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();
  private static final Map<String, Integer> ALL =
      Map.of(
          "frames",
          1000,
          "slow-scrapes",
          256,
          "labels",
          40,
          "short-labels",
          10,
          "uploads",
          8,
          "queries",
          16,
          "scrapes",
          4);

  /** Milliseconds until {@code /-/healthy} had answered. */
  private final ConcurrentHistogram healthy = new ConcurrentHistogram(60_000, 3);

  private final AtomicLong unhealthy = new AtomicLong();
  private long bound;
  private long heap;

  private HeapFlood() {}

  /** Runs one flood. */
  public static void main(String[] args) throws Exception {
    if (args.length < 3) {
      System.err.println("usage: HeapFlood <heap MiB> <seconds> (all | <attack>=<connections>...)");
      System.exit(2);
    }
    Map<String, Integer> attacks = new LinkedHashMap<>();
    for (String attack : List.of(args).subList(2, args.length)) {
      int equals = attack.indexOf('=');
      if (equals < 0) {
        attacks.putAll(ALL);
      } else {
        attacks.put(attack.substring(0, equals), Integer.parseInt(attack.substring(equals + 1)));
      }
    }
    System.exit(attack(Integer.parseInt(args[0]), Integer.parseInt(args[1]), attacks) ? 0 : 1);
  }

  /**
   * Attacks a sidecar and prints what came of it.
   *
   * @param attacks connections by kind of attack
   * @return whether it lived and an honest client lost nothing and was not counted twice
   */
  public static boolean attack(int heapMib, int seconds, Map<String, Integer> attacks)
      throws Exception {
    return new HeapFlood().run(heapMib, seconds, attacks);
  }

  private boolean run(int heapMib, int seconds, Map<String, Integer> attacks) throws Exception {
    FloodedSidecar sidecar = FloodedSidecar.start(heapMib, READY);
    try {
      Attack attack = new Attack(sidecar.ingest(), sidecar.http());
      long recorded = 0;
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      boolean delivered;
      try (HdrSidecarClient honest =
          HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingest()).build())) {
        LatencyRecorder recorder = honest.recorder("honest");
        List<Thread> threads = begin(attack, attacks);
        threads.add(watch(sidecar.http()));
        while (System.nanoTime() < deadline && sidecar.isAlive()) {
          recorded++;
          recorder.record(1_000_000 + recorded % 1000 * 1_000_000);
          Thread.sleep(1);
          if (recorded % 1000 == 0) {
            lookAtStatus(sidecar.http());
          }
        }
        threads.forEach(Thread::interrupt);
        delivered = honest.close(Duration.ofSeconds(60)).deliveredAll();
      }
      return report(heapMib, attacks, sidecar, attack, recorded, delivered);
    } finally {
      sidecar.kill();
    }
  }

  private static List<Thread> begin(Attack attack, Map<String, Integer> attacks) {
    List<Thread> threads = new ArrayList<>();
    attacks.forEach(
        (kind, connections) -> {
          for (int i = 0; i < connections; i++) {
            Thread thread = new Thread(null, () -> again(attack, kind), kind, 256 << 10);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
          }
        });
    return threads;
  }

  private static void again(Attack attack, String kind) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        attack.run(kind);
        pause();
      } catch (IOException cut) {
        pause();
      } catch (InterruptedException end) {
        return;
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread watch(URI http) {
    Thread thread =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                askHealthy(http);
                pause();
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void askHealthy(URI http) {
    long start = System.nanoTime();
    try {
      get(http.resolve("/-/healthy"), Duration.ofSeconds(20));
      healthy.recordValue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    } catch (IOException e) {
      unhealthy.incrementAndGet();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookAtStatus(URI http) throws InterruptedException {
    try {
      JsonObject memory =
          new JsonObject(get(http.resolve("/api/v1/status"), Duration.ofSeconds(5)))
              .getJsonObject("data")
              .getJsonObject("memory");
      bound = memory.getLong("boundBytes");
      heap = memory.getLong("heapMaxBytes");
    } catch (IOException e) {
      unhealthy.incrementAndGet();
    }
  }

  private String get(URI uri, Duration patience) throws IOException, InterruptedException {
    var answer =
        client.send(HttpRequest.newBuilder(uri).timeout(patience).build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(uri + " answered " + answer.statusCode());
    }
    return answer.body();
  }

  private boolean report(
      int heapMib,
      Map<String, Integer> attacks,
      FloodedSidecar sidecar,
      Attack attack,
      long recorded,
      boolean delivered)
      throws InterruptedException {
    boolean alive = sidecar.isAlive();
    long counted = alive ? counted(sidecar.http()) : 0;
    System.out.printf(
        "flood %s: -Xmx%dm heap=%d MiB stated bound=%d MiB most kept after a collection=%d MiB"
            + " healthy=%d unanswered=%d p99=%d ms slowest=%d ms refused=%d label sets=%d"
            + " honest recorded=%d delivered all=%b lost=%d doubled=%d%s%n",
        attacks,
        heapMib,
        heap >> 20,
        bound >> 20,
        sidecar.keptMib().get(),
        healthy.getTotalCount(),
        unhealthy.get(),
        healthy.getValueAtPercentile(99),
        healthy.getMaxValue(),
        attack.refused(),
        attack.labelSets(),
        recorded,
        delivered,
        Math.max(0, recorded - counted),
        Math.max(0, counted - recorded),
        alive ? "" : " THE SIDECAR ENDED WITH " + sidecar.exitCode());
    return alive && counted == recorded && delivered;
  }

  private long counted(URI http) throws InterruptedException {
    for (int attempt = 0; attempt < 30; attempt++) {
      try {
        String body =
            get(
                http.resolve("/api/v1/histogram?series=honest&window=total"),
                Duration.ofSeconds(20));
        return new JsonObject(body).getJsonObject("data").getLong("count");
      } catch (IOException e) {
        Thread.sleep(1000);
      }
    }
    return -1;
  }
}
