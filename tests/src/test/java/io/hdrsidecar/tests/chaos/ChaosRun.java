package io.hdrsidecar.tests.chaos;

import io.hdrsidecar.tests.support.Eventually;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Carries a schedule out: a thread for each lane, so that faults of different targets overlap and
 * those of one follow each other. A fault waits until its target is there; whatever goes wrong ends
 * the run.
 */
final class ChaosRun implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A cut within a frame waits so long for one. */
  private static final long CUT_WAIT_MILLIS = 1000;

  private final FaultSchedule schedule;
  private final Path folder;
  private final EventLog events;
  private final Path sockets;
  private final ChaosSidecar sidecar;
  private final List<CutProxy> proxies = new ArrayList<>();
  private final List<ClientSlot> clients = new ArrayList<>();
  private final Queue<Fault> done = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Thread endOfTest = new Thread(this::killAll, "chaos-end");

  /** Starts nothing but the proxies, in turn of TCP and of a Unix socket. */
  ChaosRun(FaultSchedule schedule, List<ClientProgram> programs, Path folder) throws IOException {
    this.schedule = schedule;
    this.folder = folder;
    this.events = new EventLog(folder.resolve("events.txt"));
    this.sockets = Files.createTempDirectory("chaos"); // a path of theirs must be short
    long clientKills =
        schedule.faults().stream().filter(fault -> fault.kind() == FaultKind.KILL_CLIENT).count();
    this.sidecar =
        new ChaosSidecar(folder, sockets.resolve("sidecar"), (int) clientKills, failures::add);
    for (ClientProgram program : programs) {
      int index = clients.size();
      CutProxy proxy =
          (index + schedule.seed()) % 2 == 0
              ? CutProxy.tcp(sidecar::tcp)
              : CutProxy.unix(
                  UnixDomainSocketAddress.of(sockets.resolve("proxy" + index)), sidecar::unix);
      proxies.add(proxy);
      long seed = schedule.seed() + ((long) index << 32);
      clients.add(new ClientSlot(program, proxy.address(), folder, seed, failures::add));
    }
  }

  /** Starts all, lets the schedule happen, and has the clients deliver everything and end. */
  void execute() throws Exception {
    Runtime.getRuntime().addShutdownHook(endOfTest); // Ctrl-C leaves no processes behind
    sidecar.start();
    clients.forEach(ClientSlot::start);
    sidecar.awaitReady();
    events.write("sidecar is ready");
    long start = System.nanoTime();
    List<Thread> lanes = new ArrayList<>();
    schedule
        .lanes()
        .forEach((name, faults) -> lanes.add(new Thread(() -> run(faults, start), "lane " + name)));
    lanes.forEach(Thread::start);
    for (Thread lane : lanes) {
      lane.join();
    }
    throwFailure();
    events.write("all faults are done");
    finish();
    events.write("clients have ended");
    throwFailure();
  }

  private void throwFailure() {
    Throwable first = failures.poll();
    if (first != null) {
      AssertionError error =
          new AssertionError("after " + done.size() + " faults: " + first, first);
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  private void finish() throws Exception {
    sidecar.awaitReady();
    for (ClientSlot client : clients) {
      client.awaitRecording();
      client.awaitAcknowledgement();
      client.finish();
    }
    Eventually.holds(this::expectNoSpillFiles);
  }

  private void expectNoSpillFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(ChaosClient.SPILL_FOLDER))) {
      List<Path> left = files.filter(file -> file.toString().contains(".hlog")).toList();
      if (!left.isEmpty()) {
        throw new AssertionError("nobody picks up " + left);
      }
    }
  }

  private void run(List<Fault> faults, long start) {
    try {
      for (Fault fault : faults) {
        await(start + TimeUnit.MILLISECONDS.toNanos(fault.atMillis()));
        if (!failures.isEmpty()) {
          return;
        }
        events.write("begin " + fault);
        apply(fault);
        done.add(fault);
        events.write("end   " + fault);
      }
    } catch (Exception | AssertionError e) {
      failures.add(e);
    }
  }

  private static void await(long nanoTime) {
    long left = nanoTime - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = nanoTime - System.nanoTime();
    }
  }

  private static void last(Fault fault) {
    await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(fault.durationMillis()));
  }

  private void apply(Fault fault) throws Exception {
    switch (fault.kind().target()) {
      case SIDECAR -> toSidecar(fault);
      case CLIENT -> toClient(fault, clients.get(fault.client()));
      case WIRE -> toWire(fault, proxies.get(fault.client()).awaitConnection(PATIENCE));
    }
  }

  /**
   * One kill in three hits the sidecar wherever it is, replaying its journal for instance. Before
   * all other faults it has acknowledged something: one that never lives has nothing to lose.
   */
  private void toSidecar(Fault fault) throws Exception {
    if (fault.kind() != FaultKind.KILL_SIDECAR || fault.variant() % 3 != 0) {
      sidecar.awaitReady();
      clients.get(fault.variant() % clients.size()).awaitAcknowledgement();
    }
    switch (fault.kind()) {
      case KILL_SIDECAR -> {
        sidecar.kill();
        last(fault);
        sidecar.start();
      }
      case STOP_SIDECAR -> {
        sidecar.signal("STOP");
        last(fault);
        sidecar.signal("CONT");
      }
      case FILL_SIDECAR -> {
        sidecar.fillHeap();
        sidecar.start();
      }
      default -> {
        sidecar.terminate();
        sidecar.start();
      }
    }
  }

  private static void toClient(Fault fault, ClientSlot client) throws Exception {
    client.awaitRecording();
    switch (fault.kind()) {
      case KILL_CLIENT -> {
        client.kill();
        client.start();
      }
      case STOP_CLIENT -> {
        client.signal("STOP");
        last(fault);
        client.signal("CONT");
      }
      default -> {
        client.terminate();
        client.start();
      }
    }
  }

  private static void toWire(Fault fault, ProxiedConnection connection) throws Exception {
    switch (fault.kind()) {
      case CUT -> {
        connection.cut(fault.variant());
        connection.awaitEnd(CUT_WAIT_MILLIS);
      }
      case HALF_OPEN -> {
        connection.halfOpen(fault.variant());
        last(fault);
        connection.endHalfOpen(fault.variant());
      }
      default -> {
        connection.slow(fault.variant(), true);
        last(fault);
        connection.slow(fault.variant(), false);
      }
    }
  }

  /** The faults carried out so far. */
  List<Fault> done() {
    return List.copyOf(done);
  }

  /** Compares what the sidecar exposes now with what the clients recorded. */
  Verdict judge() throws Exception {
    List<ClientLife> lives = clients.stream().flatMap(client -> client.ended().stream()).toList();
    Verdict verdict = Verdict.of(lives, folder, Exposition.of(sidecar.awaitReady()));
    events.write(verdict.toString());
    return verdict;
  }

  /** A last {@code kill -9} of the sidecar, and another from its journal. */
  void replay() throws Exception {
    sidecar.kill();
    sidecar.start();
    sidecar.awaitReady();
  }

  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(endOfTest);
    killAll();
    for (CutProxy proxy : proxies) {
      proxy.close();
    }
    try (Stream<Path> left = Files.walk(sockets)) {
      // A sidecar that was killed while it bound its socket leaves a folder behind, too.
      for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private void killAll() {
    clients.forEach(ClientSlot::close);
    sidecar.close();
  }
}
