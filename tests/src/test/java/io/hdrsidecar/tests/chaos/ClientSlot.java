package io.hdrsidecar.tests.chaos;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.tests.support.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The place of one client: one process after the other, each with an instance of its own. */
final class ClientSlot {
  private static final int EXIT_SIGTERM = 128 + 15;

  private final ClientProgram program;
  private final String address;
  private final Path folder;
  private final long seed;
  private final Consumer<Throwable> failures;
  private final List<ClientLife> ended = new ArrayList<>();
  private int runs = 1;
  private volatile ClientLife present;
  private volatile @Nullable ChaosProcess process;

  /**
   * A place where no client is yet.
   *
   * @param program what runs here
   * @param address where clients connect
   * @param folder for their files
   * @param seed of their values
   * @param failures told when one ends by itself
   */
  ClientSlot(
      ClientProgram program, String address, Path folder, long seed, Consumer<Throwable> failures) {
    this.program = program;
    this.address = address;
    this.folder = folder;
    this.seed = seed;
    this.failures = failures;
    this.present = new ClientLife(program.slot() + 1, 0, false);
  }

  /** Starts a process, and does not wait for it. */
  void start() {
    present = next();
    String life = present.name();
    List<String> command = new ArrayList<>(program.command());
    command.addAll(List.of(address, present.run(), life, folder.toString()));
    command.add(Long.toString(seed + ended.size()));
    process =
        ChaosProcess.start("client " + life, command, folder.resolve(life + ".log"), failures);
  }

  private ClientLife next() {
    boolean lastWasKilled = !ended.isEmpty() && ended.get(ended.size() - 1).killed();
    if (lastWasKilled) {
      runs++;
    }
    return new ClientLife(program.slot() + runs, lastWasKilled ? 1 : present.number() + 1, false);
  }

  private ChaosProcess current() {
    return requireNonNull(process, "process");
  }

  /** Waits until the present process records. */
  void awaitRecording() throws Exception {
    Path ledger = folder.resolve(ChaosClient.ledgerFile(present.name()));
    Eventually.holds(
        () -> {
          if (!Files.exists(ledger)) {
            throw new AssertionError("does not record, see " + current().log());
          }
        });
  }

  /**
   * Waits until something more is acknowledged of what is recorded here, be it by the process that
   * is here now or by one that takes its place meanwhile.
   */
  void awaitAcknowledgement() throws Exception {
    Ledger before = ledger();
    Eventually.holds(
        () -> {
          Ledger now = ledger();
          if (now.acknowledged() == 0 || now.settled().equals(before.settled())) {
            throw new AssertionError("nothing is acknowledged, see " + current().log());
          }
        });
  }

  private Ledger ledger() throws IOException {
    return Ledger.read(folder.resolve(ChaosClient.ledgerFile(present.name())));
  }

  void signal(String signal) throws IOException, InterruptedException {
    current().signal(signal);
  }

  /** {@code kill -9}. */
  void kill() {
    current().kill();
    ended.add(new ClientLife(present.run(), present.number(), true));
  }

  /** SIGTERM: the process stops recording and has its short time to deliver. */
  void terminate() throws IOException, InterruptedException {
    expectExit(EXIT_SIGTERM, current().terminate());
  }

  /** Has the process deliver everything and end. */
  void finish() throws IOException, InterruptedException {
    current().input().write(ChaosClient.FINISH);
    current().input().flush();
    expectExit(0, current().awaitExit());
  }

  private void expectExit(int wanted, int exit) {
    if (exit != wanted) {
      throw new AssertionError(
          "exit " + exit + " instead of " + wanted + ", see " + current().log());
    }
    ended.add(present);
  }

  /** All processes that have ended. */
  List<ClientLife> ended() {
    return List.copyOf(ended);
  }

  /** Kills the present process if it lives. */
  void close() {
    ChaosProcess now = process;
    if (now != null) {
      now.kill();
    }
  }
}
