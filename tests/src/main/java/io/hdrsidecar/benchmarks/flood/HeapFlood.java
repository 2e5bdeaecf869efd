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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Attacks a sidecar with a small heap and prints what came of it.
 *
 * <p>Arguments: the largest heap in MiB, seconds, and attacks with their connections, such as
 * {@code frames=1000}: {@code frames}, {@code labels}, {@code short-labels}, {@code uploads},
 * {@code queries}, {@code scrapes}, {@code slow-scrapes}; {@code all} for all of them at once. The
 * system property {@code flood.options} has further options of {@code serve}, {@code flood.jar} the
 * jar to start instead of the classes at hand, {@code flood.jvm} options of its JVM, {@code
 * flood.command} a whole command instead, such as {@code docker run ...}, and {@code flood.after}
 * the seconds of ordinary work before the attack, 0 unless set: a JVM that has just started
 * compiles and answers slowly. Exits with 1 when the sidecar did not live, an honest client was not
 * exact, nothing answered for its health, or more was left on the heap after a full collection than
 * the bound that the sidecar states.
 */
public final class HeapFlood {
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();
  private static final int COLLECT_EVERY = 2_000;

  /** All attacks at once, with their connections. */
  public static final Map<String, Integer> ALL =
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

  private long recorded;

  /** What attackers look at: one that is only starting now, or within an answer, too. */
  private volatile boolean ended;

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
   * @return whether it lived, kept within its bound, answered for its health, and an honest client
   *     lost nothing and was not counted twice
   */
  public static boolean attack(int heapMib, int seconds, Map<String, Integer> attacks)
      throws Exception {
    return new HeapFlood().run(heapMib, seconds, attacks);
  }

  private boolean run(int heapMib, int seconds, Map<String, Integer> attacks) throws Exception {
    FloodedSidecar sidecar = FloodedSidecar.start(heapMib);
    try {
      Attack attack = new Attack(sidecar.ingest(), sidecar.http());
      boolean delivered;
      HealthProbe.Result health;
      try (HdrSidecarClient honest =
          HdrSidecarClient.create(ClientConfig.builder().address(sidecar.ingest()).build())) {
        LatencyRecorder recorder = honest.recorder("honest");
        scrapeWhileRecording(sidecar, recorder, Integer.getInteger("flood.after", 0));
        Process probe = HealthProbe.start(sidecar.http());
        ThreadGroup attackers = begin(attack, attacks);
        record(sidecar, recorder, seconds);
        health = HealthProbe.end(probe);
        ended = true;
        attackers.interrupt(); // those that sleep
        delivered = honest.close(Duration.ofSeconds(60)).deliveredAll();
      }
      return report(heapMib, attacks, sidecar, health, attack, delivered);
    } finally {
      ended = true;
      sidecar.end();
    }
  }

  private void scrapeWhileRecording(FloodedSidecar sidecar, LatencyRecorder recorder, int seconds)
      throws IOException, InterruptedException {
    for (int i = 0; i < seconds; i++) {
      record(sidecar, recorder, 1);
      get(sidecar.http().resolve("/metrics"), Duration.ofSeconds(10));
      get(sidecar.http().resolve("/-/healthy"), Duration.ofSeconds(10));
    }
  }

  private void record(FloodedSidecar sidecar, LatencyRecorder recorder, int seconds)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() - deadline < 0 && sidecar.isAlive()) {
      recorded++;
      recorder.record(1_000_000 + recorded % 1000 * 1_000_000);
      if (recorded % COLLECT_EVERY == 0) {
        sidecar.collect();
      }
      Thread.sleep(1);
    }
  }

  /** They are started by a thread of their own: the first ones leave it little time. */
  private ThreadGroup begin(Attack attack, Map<String, Integer> attacks) {
    ThreadGroup attackers = new ThreadGroup("attackers");
    startDaemon(
        attackers,
        "begin",
        () ->
            attacks.forEach(
                (kind, connections) -> {
                  for (int i = 0; i < connections && !ended; i++) {
                    startDaemon(attackers, kind, () -> again(attack, kind));
                  }
                }));
    return attackers;
  }

  private static void startDaemon(ThreadGroup group, String name, Runnable work) {
    Thread thread = new Thread(group, work, name, 256 << 10);
    thread.setDaemon(true);
    thread.start();
  }

  private void again(Attack attack, String kind) {
    while (!ended) {
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
      Thread.currentThread().interrupt(); // its next sleep ends it
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
      HealthProbe.Result health,
      Attack attack,
      boolean delivered)
      throws InterruptedException {
    boolean alive = sidecar.isAlive();
    long kept = sidecar.keptMib().get();
    long counted =
        answer(sidecar, "/api/v1/histogram?series=honest&window=total").getLong("count", -1L);
    JsonObject memory = answer(sidecar, "/api/v1/status").getJsonObject("memory", new JsonObject());
    long boundMib = memory.getLong("boundBytes", 0L) >> 20;
    System.out.printf(
        "flood %s: -Xmx%dm heap=%d MiB stated bound=%d MiB most kept after a full collection=%d MiB"
            + " healthy=%d unanswered=%d p99=%d ms slowest=%d ms refused=%d label sets=%d"
            + " honest recorded=%d delivered all=%b lost=%d doubled=%d%s%n",
        attacks,
        heapMib,
        memory.getLong("heapMaxBytes", 0L) >> 20,
        boundMib,
        kept,
        health.healthy(),
        health.unanswered(),
        health.p99Millis(),
        health.slowestMillis(),
        attack.refused(),
        attack.labelSets(),
        recorded,
        delivered,
        Math.max(0, recorded - counted),
        Math.max(0, counted - recorded),
        alive ? "" : " THE SIDECAR ENDED WITH " + sidecar.exitCode());
    return alive && counted == recorded && delivered && kept <= boundMib && health.healthy() > 0;
  }

  /** Asks after the flood, until there is room for the answer; empty when that never is. */
  private JsonObject answer(FloodedSidecar sidecar, String path) throws InterruptedException {
    for (int attempt = 0; attempt < 30 && sidecar.isAlive(); attempt++) {
      try {
        String body = get(sidecar.http().resolve(path), Duration.ofSeconds(20));
        return new JsonObject(body).getJsonObject("data");
      } catch (IOException e) {
        Thread.sleep(1000);
      }
    }
    return new JsonObject();
  }
}
