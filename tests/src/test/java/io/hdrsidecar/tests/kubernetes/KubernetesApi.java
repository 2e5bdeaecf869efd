package io.hdrsidecar.tests.kubernetes;

import io.hdrsidecar.tests.support.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A real kube-apiserver with an etcd of its own, on free ports of the loopback address, and kubectl
 * to ask it. There are no nodes, no controllers and no scheduler: objects are checked, changed by
 * admission and kept, and nothing runs.
 */
public final class KubernetesApi implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Path folder;
  private final Deque<Process> processes = new ArrayDeque<>();
  private final String token = UUID.randomUUID().toString();

  private KubernetesApi(Path folder) {
    this.folder = folder;
  }

  /** What a program said, and how it ended. */
  public record Answer(int exitCode, String output) {
    /** Whether the program, and so the API server, was content. */
    public boolean isAccepted() {
      return exitCode == 0;
    }
  }

  /**
   * Starts both and waits until the API server is ready; some 10 s on two processors.
   *
   * @throws IllegalStateException when it does not get ready, with the end of its log
   */
  public static KubernetesApi start() {
    try {
      Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
      KubernetesApi api = new KubernetesApi(Files.createTempDirectory(target, "kubernetes"));
      try (ReservedPort client = new ReservedPort();
          ReservedPort peer = new ReservedPort();
          ReservedPort secure = new ReservedPort()) {
        api.startEtcd(client.number(), peer.number());
        api.startApiServer(client.number(), secure.number());
        api.writeKubeconfig(secure.number());
        api.awaitReady();
        return api;
      } catch (IOException | RuntimeException e) {
        api.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startEtcd(int clientPort, int peerPort) throws IOException {
    String client = "http://127.0.0.1:" + clientPort;
    String peer = "http://127.0.0.1:" + peerPort;
    launch(
        "etcd",
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + client,
        "--advertise-client-urls=" + client,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=default=" + peer,
        "--unsafe-no-fsync",
        "--log-level=warn");
  }

  /** The certificate is its own: {@code --cert-dir} without files makes one. */
  private void startApiServer(int etcdPort, int port) throws IOException {
    Path key = writeKey(folder.resolve("service-accounts.pem"));
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(tokens, token + ",admin,admin,system:masters\n");
    launch(
        "kube-apiserver",
        "--etcd-servers=http://127.0.0.1:" + etcdPort,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        "--secure-port=" + port,
        "--cert-dir=" + folder.resolve("certificates"),
        "--service-cluster-ip-range=10.0.0.0/24",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + key,
        "--service-account-signing-key-file=" + key,
        "--token-auth-file=" + tokens,
        "--authorization-mode=RBAC");
  }

  private static Path writeKey(Path file) throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
      return Files.writeString(
          file, "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void launch(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    processes.push(
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log(program).toFile())
            .start());
  }

  private Path log(String program) {
    return folder.resolve(program + ".log");
  }

  private void writeKubeconfig(int port) throws IOException {
    Files.writeString(
        kubeconfig(),
        """
        apiVersion: v1
        kind: Config
        clusters:
          - name: test
            cluster:
              server: https://127.0.0.1:%d
              certificate-authority: %s
        users:
          - name: admin
            user:
              token: %s
        contexts:
          - name: test
            context: {cluster: test, user: admin}
        current-context: test
        """
            .formatted(port, folder.resolve("certificates").resolve("apiserver.crt"), token));
  }

  private void awaitReady() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!kubectl("", "get", "--raw", "/readyz").isAccepted()) {
      if (System.nanoTime() - deadline > 0 || !processes.stream().allMatch(Process::isAlive)) {
        throw new IllegalStateException(
            "not ready: " + tail("etcd") + System.lineSeparator() + tail("kube-apiserver"));
      }
    }
  }

  private String tail(String program) throws IOException {
    List<String> lines = Files.readAllLines(log(program));
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
  }

  /** A file for {@code kubectl --kubeconfig}; its user may do everything. */
  public Path kubeconfig() {
    return folder.resolve("kubeconfig.yaml");
  }

  /**
   * Runs kubectl against this server.
   *
   * @param input what it gets on standard input, for {@code -f -}
   * @return its exit code, and standard output and error together
   */
  public Answer kubectl(String input, String... arguments) {
    List<String> command = new ArrayList<>(List.of("kubectl", "--kubeconfig=" + kubeconfig()));
    command.addAll(List.of(arguments));
    try {
      Path file = Files.writeString(Files.createTempFile(folder, "input", ".yaml"), input);
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(file.toFile())
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Answer answer = new Answer(process.waitFor(), output);
      Files.delete(file);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Has objects checked as if they were created, and keeps nothing of them. */
  public Answer dryRun(String yaml) {
    return kubectl(yaml, "apply", "--dry-run=server", "--validate=strict", "-f", "-");
  }

  /**
   * Creates or changes objects.
   *
   * @return what kubectl says
   * @throws IllegalStateException when the server does not accept them
   */
  public String apply(String yaml) {
    Answer answer = kubectl(yaml, "apply", "--validate=strict", "-f", "-");
    if (!answer.isAccepted()) {
      throw new IllegalStateException("not accepted: " + answer.output());
    }
    return answer.output();
  }

  /**
   * Creates a namespace in which Pods can be created, which takes the service account that a
   * controller makes elsewhere.
   *
   * @param labels in YAML's flow form, such as {@code {a: b}}
   */
  public void createNamespace(String name, String labels) {
    apply(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: %1$s, labels: %2$s}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: default, namespace: %1$s}
        """
            .formatted(name, labels));
  }

  /** Ends both. Their logs stay under {@code target}. */
  @Override
  public void close() {
    while (!processes.isEmpty()) {
      end(processes.pop());
    }
  }

  private static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
