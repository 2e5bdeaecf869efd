package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.tests.support.Eventually;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two clients, each with a sidecar that hands on to a third; between all of them connections that
 * can be cut. Faults come one after the other, and what they set going overlaps.
 */
final class FleetRun implements AutoCloseable {
  static final int LANES = 2;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long CUT_WAIT_MILLIS = 1_000;

  private final Path sockets;
  private final EventLog events;
  private final ChaosSidecar upper;
  private final List<Lane> lanes = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Thread endOfTest = new Thread(this::killAll, "fleet-end");

  /** A client, its sidecar, and the connections of both. */
  private record Lane(
      Path folder, CutProxy above, ChaosSidecar lower, CutProxy below, ClientSlot client) {}

  /** Starts nothing but the proxies. */
  FleetRun(long seed, int kills, Path folder) throws IOException {
    this.events = new EventLog(folder.resolve("events.txt"));
    this.sockets = Files.createTempDirectory("fleet");
    Path above = Files.createDirectories(folder.resolve("upper"));
    Files.createDirectories(above.resolve("journal"));
    this.upper =
        new ChaosSidecar(above, sockets.resolve("upper"), LANES * kills, List.of(), failures::add);
    for (int i = 0; i < LANES; i++) {
      lanes.add(lane("ab".substring(i, i + 1), folder, seed + i, kills));
    }
  }

  private Lane lane(String name, Path parent, long seed, int kills) throws IOException {
    Path folder = Files.createDirectories(parent.resolve(name));
    Files.createDirectories(folder.resolve("journal"));
    Files.createDirectories(folder.resolve(ChaosClient.SPILL_FOLDER));
    CutProxy above = CutProxy.tcp(upper::tcp);
    ChaosSidecar lower =
        new ChaosSidecar(
            folder,
            sockets.resolve(name),
            kills,
            List.of(
                "--upstream-address=" + above.address(),
                "--upstream-interval=200ms",
                "--upstream-drain=2s",
                "--upstream-resource-pod=" + name),
            failures::add);
    CutProxy below = CutProxy.tcp(lower::tcp);
    ClientSlot client =
        new ClientSlot(ClientProgram.java(name), below.address(), folder, seed, failures::add);
    return new Lane(folder, above, lower, below, client);
  }

  /** Starts all, lets the faults happen, and has everything handed on. */
  void execute(List<FleetFault> faults) throws Exception {
    Runtime.getRuntime().addShutdownHook(endOfTest);
    upper.start();
    lanes.forEach(lane -> lane.lower().start());
    lanes.forEach(lane -> lane.client().start());
    upper.awaitReady();
    for (Lane lane : lanes) {
      lane.lower().awaitReady();
      lane.client().awaitAcknowledgement();
    }
    for (FleetFault fault : faults) {
      events.write("begin " + fault);
      apply(fault, lanes.get(fault.lane()));
      pause(fault.millis());
      throwFailure();
    }
    events.write("all faults are done");
    for (Lane lane : lanes) {
      lane.lower().awaitReady();
      lane.client().awaitRecording();
      lane.client().awaitAcknowledgement();
      lane.client().finish();
    }
    awaitHandedOn();
    throwFailure();
  }

  private void apply(FleetFault fault, Lane lane) throws Exception {
    switch (fault.kind()) {
      case KILL_LOWER -> restart(lane.lower(), fault.millis());
      case KILL_UPPER -> restart(upper, fault.millis());
      case KILL_BOTH -> {
        lane.lower().kill();
        restart(upper, fault.millis());
        lane.lower().start();
      }
      case STOP_LOWER -> stop(lane.lower(), fault.millis());
      case STOP_UPPER -> stop(upper, fault.millis());
      case END_LOWER -> end(lane.lower());
      case END_UPPER -> end(upper);
      case KILL_CLIENT -> {
        lane.client().awaitRecording();
        lane.client().kill();
        lane.client().start();
      }
      case CUT_BELOW -> cut(lane.below(), fault.variant());
      case CUT_ABOVE -> cut(lane.above(), fault.variant());
    }
  }

  private static void restart(ChaosSidecar sidecar, int millis) {
    sidecar.kill();
    pause(millis);
    sidecar.start();
  }

  private static void stop(ChaosSidecar sidecar, int millis) throws Exception {
    sidecar.awaitReady();
    sidecar.signal("STOP");
    pause(millis);
    sidecar.signal("CONT");
  }

  private static void end(ChaosSidecar sidecar) throws Exception {
    sidecar.awaitReady();
    sidecar.terminate();
    sidecar.start();
  }

  private static void cut(CutProxy proxy, int variant) throws Exception {
    ProxiedConnection connection = proxy.awaitConnection(PATIENCE);
    connection.cut(variant);
    connection.awaitEnd(CUT_WAIT_MILLIS);
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void throwFailure() {
    Throwable first = failures.poll();
    if (first != null) {
      throw new AssertionError("during the faults: " + first, first);
    }
  }

  private void awaitHandedOn() throws Exception {
    upper.awaitReady();
    for (Lane lane : lanes) {
      URI address = lane.lower().awaitReady();
      Eventually.holds(() -> expectNothingLeft(lane, address));
    }
    events.write("everything is handed on");
  }

  private void expectNothingLeft(Lane lane, URI address) throws Exception {
    try (var files = Files.list(lane.folder().resolve(ChaosClient.SPILL_FOLDER))) {
      if (files.anyMatch(file -> file.toString().contains(".hlog"))) {
        throw new AssertionError("spill files are left in " + lane.folder());
      }
    }
    JsonObject upstream = upstream(address);
    if (upstream.getLong("waitingValues") > 0 || upstream.getLong("lostValues") > 0) {
      throw new AssertionError("not handed on: " + upstream.encode());
    }
  }

  private JsonObject upstream(URI address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address.resolve("/api/v1/status")).build();
    String body = http.send(request, BodyHandlers.ofString()).body();
    return new JsonObject(body).getJsonObject("data").getJsonObject("upstream");
  }

  /** Compares what the sidecar above exposes now with what the clients recorded. */
  List<Verdict> judge() throws Exception {
    Exposition exposition = Exposition.of(upper.awaitReady());
    List<Verdict> verdicts = new ArrayList<>();
    for (Lane lane : lanes) {
      Verdict verdict = Verdict.of(lane.client().ended(), lane.folder(), exposition);
      events.write(verdict.toString());
      verdicts.add(verdict);
    }
    return verdicts;
  }

  /** A last {@code kill -9} of all sidecars, and others from their journals. */
  void replay() throws Exception {
    upper.kill();
    lanes.forEach(lane -> lane.lower().kill());
    upper.start();
    lanes.forEach(lane -> lane.lower().start());
    awaitHandedOn();
  }

  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(endOfTest);
    killAll();
    Files.deleteIfExists(sockets.resolve("upper"));
    for (Lane lane : lanes) {
      lane.above().close();
      lane.below().close();
      Files.deleteIfExists(sockets.resolve(lane.folder().getFileName()));
    }
    Files.delete(sockets);
  }

  private void killAll() {
    lanes.forEach(lane -> lane.client().close());
    lanes.forEach(lane -> lane.lower().close());
    upper.close();
  }
}
