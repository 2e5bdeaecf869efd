package io.hdrsidecar.tests.chaos;

import static java.util.Objects.requireNonNull;

import io.hdrsidecar.sidecar.memory.OutOfMemory;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.SidecarJar;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The sidecar: one process after the other on the same journal and the same Unix socket. */
final class ChaosSidecar {
  /** Two harvests of a client's series fill it, so that it is full now and then. */
  static final int WINDOW = 2 * ChaosClient.SERIES;

  private static final Pattern READY =
      Pattern.compile("ready.*ingest=tcp://[^:]+:(?<port>\\d+).*http=(?<http>http://[^\\s,]+)");

  private static final Pattern CRASH_REPORT =
      Pattern.compile("# (?<file>/\\S*hs_err_pid\\d+\\.log)");

  private final Path folder;
  private final Path unixSocket;
  private final int runs;
  private final List<String> more;
  private final Consumer<Throwable> failures;
  private int started;
  private volatile @Nullable ChaosProcess process;

  /**
   * A sidecar that is not started.
   *
   * @param folder for journal and logs
   * @param unixSocket where it listens beside TCP
   * @param runs as many client processes will be killed, each of which leaves its series behind
   * @param failures told when it ends by itself
   */
  ChaosSidecar(Path folder, Path unixSocket, int runs, Consumer<Throwable> failures) {
    this(folder, unixSocket, runs, List.of(), failures);
  }

  /**
   * The same.
   *
   * @param more settings
   */
  ChaosSidecar(
      Path folder, Path unixSocket, int runs, List<String> more, Consumer<Throwable> failures) {
    this.more = more;
    this.folder = folder;
    this.unixSocket = unixSocket;
    this.runs = runs;
    this.failures = failures;
  }

  /** Starts a process, and does not wait for it. */
  void start() {
    String name = String.format("sidecar-%03d", started++);
    String tests =
        FilledSidecar.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String classPath = SidecarJar.path() + File.pathSeparator + tests;
    List<String> command = SidecarJar.java();
    command.addAll(List.of("-Xmx2g", "-cp", classPath, FilledSidecar.class.getName()));
    command.addAll(options());
    command.addAll(more);
    process = ChaosProcess.start(name, command, folder.resolve(name + ".log"), failures);
  }

  /** Small files, so that rotation, checkpoints and retention happen all the time. */
  private List<String> options() {
    int rotateMebibytes = 1 + runs / 30;
    return List.of(
        "serve",
        "--ingest-port=0",
        "--ingest-unix-socket=" + unixSocket,
        "--ingest-max-in-flight=" + WINDOW,
        "--http-port=0",
        "--journal-directory=" + folder.resolve("journal"),
        "--journal-flush=50ms",
        "--spill-folder=" + folder.resolve(ChaosClient.SPILL_FOLDER),
        "--spill-scan-interval=1s",
        "--journal-rotate-size=" + rotateMebibytes + "MiB",
        "--journal-retain-size=" + 8 * rotateMebibytes + "MiB",
        "--series-max=" + (10_000 + runs * ChaosClient.SERIES),
        "--query-max-series=" + (10_000 + runs * ChaosClient.SERIES),
        "--series-idle-expiry=off", // Series of clients that were killed are counted, too.
        "--windows=10s",
        "--expose-quantiles=",
        "--expose-seconds-edges=0.001",
        "--self-hiccups=off");
  }

  private ChaosProcess current() {
    return requireNonNull(process, "process");
  }

  /** Where it listens for TCP, once it does. */
  Optional<SocketAddress> tcp() {
    return ready()
        .map(
            port ->
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
  }

  private Optional<String> ready() {
    ChaosProcess now = process;
    return now == null || !now.isAlive() ? Optional.empty() : readyLine(now, "port");
  }

  private static Optional<String> readyLine(ChaosProcess process, String group) {
    try {
      Matcher matcher = READY.matcher(Files.readString(process.log()));
      return matcher.find() ? Optional.of(matcher.group(group)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // not written yet
    }
  }

  /** Where its Unix socket is, whether or not it listens there. */
  Optional<SocketAddress> unix() {
    return Optional.of(UnixDomainSocketAddress.of(unixSocket));
  }

  /** Waits until it has replayed its journal and serves; gives the address of its HTTP server. */
  URI awaitReady() throws Exception {
    ChaosProcess now = current();
    return URI.create(
        Eventually.gives(
            () ->
                readyLine(now, "http")
                    .orElseThrow(() -> new AssertionError("not ready, see " + now.log()))));
  }

  void signal(String signal) throws IOException, InterruptedException {
    current().signal(signal);
  }

  /** {@code kill -9}. */
  void kill() {
    current().kill();
  }

  /** SIGTERM to one that is ready, which must end with 0. */
  void terminate() throws IOException, InterruptedException {
    int exit = current().terminate();
    if (exit != 0) {
      throw new AssertionError("exit " + exit + " on SIGTERM, see " + current().log());
    }
  }

  /** Fills its heap, which must end it with 3. */
  void fillHeap() throws IOException, InterruptedException {
    ChaosProcess now = current();
    now.mayEnd();
    try (OutputStream input = now.input()) {
      input.write('\n');
    }
    int exit = now.awaitExit();
    if (exit != OutOfMemory.EXIT_CODE && !isCrashOfTheJdk(Files.readString(now.log()))) {
      throw new AssertionError("exit " + exit + " with a full heap, see " + now.log());
    }
  }

  /**
   * OpenJDK 17's accept of a connection to a Unix socket does not look whether there was memory for
   * its address, and ends the JVM by SIGSEGV where there was none.
   */
  private static boolean isCrashOfTheJdk(String output) throws IOException {
    Matcher report = CRASH_REPORT.matcher(output);
    return report.find()
        && Files.readString(Path.of(report.group("file")))
            .contains("sun.nio.ch.UnixDomainSockets.localAddress0");
  }

  /** Kills it if it lives. */
  void close() {
    ChaosProcess now = process;
    if (now != null) {
      now.kill();
    }
  }
}
