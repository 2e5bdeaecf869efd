package io.hdrsidecar.tests.image;

import io.hdrsidecar.tests.support.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A pod as a kubelet makes it: a container that holds the network, volumes whose group is the pod's
 * {@code fsGroup}, a sidecar and an application in both. The restricted profile: no root, no
 * capabilities, nothing writable but the volumes.
 */
final class Pod {
  static final String SIDECAR = "sidecar";
  static final String APPLICATION = "application";
  static final String CRASH_FOLDER = "/run/hdr-sidecar/crash";

  private static final List<String> RESTRICTED =
      List.of("--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges");

  private final String name = "hdr-pod-" + UUID.randomUUID().toString().substring(0, 8);
  private final List<String> containers = new ArrayList<>();
  private final List<String> volumes = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final String sidecarUser;
  private final String applicationUser;
  private final String group;
  private final int port;
  private List<String> crash = List.of();

  /** As the manifests have it: two users, and the group of the pod. */
  Pod() throws IOException, InterruptedException {
    this("65532:65532", "10001:10001", "65532");
  }

  /** Network and volumes; no containers yet. Users with their group, and the {@code fsGroup}. */
  Pod(String sidecarUser, String applicationUser, String group)
      throws IOException, InterruptedException {
    this.sidecarUser = sidecarUser;
    this.applicationUser = applicationUser;
    this.group = group;
    String tools = Images.tools();
    for (String volume : List.of("run", "journal")) {
      Docker.run("volume", "create", of(volume));
      volumes.add(of(volume));
      inVolume(volume, "chown 0:" + group + " /volume && chmod 2775 /volume");
    }
    Docker.run(
        "run",
        "--detach",
        "--name",
        of("network"),
        "--publish=127.0.0.1::9925",
        tools,
        "sleep",
        "3600");
    containers.add("network");
    String address =
        Docker.run("port", of("network"), "9925/tcp").lines().findFirst().orElseThrow();
    port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /**
   * A volume in memory, as an emptyDir of {@code medium: Memory} is, which lives for as long as a
   * container has it; at {@code /run/hdr-sidecar/crash} in those that are started from now on.
   */
  void addCrashVolume(String size) throws IOException, InterruptedException {
    Docker.run(
        "volume",
        "create",
        "--driver=local",
        "--opt=type=tmpfs",
        "--opt=device=tmpfs",
        "--opt=o=size=" + size + ",mode=2775,gid=" + group,
        of("crash"));
    volumes.add(of("crash"));
    crash = List.of("--volume=" + of("crash") + ":" + CRASH_FOLDER + ":nocopy");
  }

  /** Runs a shell's command as root with a volume at {@code /volume}. */
  void inVolume(String volume, String command) throws IOException, InterruptedException {
    Docker.run(
        "run", "--rm", "--volume", of(volume) + ":/volume", Images.tools(), "sh", "-c", command);
  }

  private String of(String part) {
    return name + "-" + part;
  }

  /** Starts the sidecar; variables as {@code NAME=value}. */
  void startSidecar(String... variables) throws IOException, InterruptedException {
    start(SIDECAR, sidecarOptions(), Images.sidecar(), variables);
  }

  /** Without nocopy Docker would give an empty volume the image's owner; a kubelet does not. */
  private List<String> sidecarOptions() {
    return List.of(
        "--user=" + sidecarUser,
        "--group-add=" + group,
        "--memory=128m",
        "--memory-swap=128m",
        "--cpus=1",
        "--volume=" + of("run") + ":/run/hdr-sidecar:nocopy",
        "--volume=" + of("journal") + ":/var/lib/hdr-sidecar:nocopy");
  }

  /** Starts the application, which is another user of the same group. */
  void startApplication(String... variables) throws IOException, InterruptedException {
    List<String> options =
        List.of(
            "--user=" + applicationUser,
            "--group-add=" + group,
            "--memory=128m",
            "--cpus=1",
            "--env=HDR_SIDECAR_ADDRESS=unix:///run/hdr-sidecar/hdr-sidecar.sock",
            "--volume=" + of("run") + ":/run/hdr-sidecar:nocopy");
    start(APPLICATION, options, Images.example(), variables);
  }

  /** Starts a container as the application that runs a command of this machine's Java. */
  void startJava(List<String> options, List<String> command)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    all.addAll(
        List.of(
            "--user=" + applicationUser,
            "--group-add=" + group,
            "--env=HDR_SIDECAR_ADDRESS=unix:///run/hdr-sidecar/hdr-sidecar.sock",
            "--env=HDR_SIDECAR_CRASH_FOLDER=" + CRASH_FOLDER,
            "--volume=" + of("run") + ":/run/hdr-sidecar:nocopy"));
    start(APPLICATION, all, command);
  }

  private void start(String container, List<String> options, String image, String... variables)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(options);
    for (String variable : variables) {
      all.add("--env=" + variable);
    }
    start(container, all, List.of(image));
  }

  private void start(String container, List<String> options, List<String> imageAndCommand)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("run", "--detach", "--name=" + of(container), "--network", networkOf()));
    command.addAll(RESTRICTED);
    command.addAll(options);
    command.addAll(crash);
    command.addAll(imageAndCommand);
    containers.add(container);
    Docker.run(command);
  }

  private String networkOf() {
    return "container:" + of("network");
  }

  /** What a sidecar that cannot start prints. */
  String failedSidecar(String... variables) throws IOException, InterruptedException {
    startSidecar(variables);
    int status = await(SIDECAR);
    if (status == 0) {
      throw new AssertionError("started: " + logs(SIDECAR));
    }
    return logs(SIDECAR);
  }

  /** Waits until the probe succeeds. */
  void awaitReady() throws Exception {
    Eventually.holds(
        () -> {
          if (answer("/-/ready").statusCode() != 200) {
            throw new AssertionError(logs(SIDECAR));
          }
        });
  }

  /** Sends a signal to the first process, and waits for nothing. */
  void signal(String container, String signal) throws IOException, InterruptedException {
    Docker.run("kill", "--signal=" + signal, of(container));
  }

  /** Waits for the end; the exit status. */
  int await(String container) throws IOException, InterruptedException {
    return Integer.parseInt(Docker.run("wait", of(container)));
  }

  /** Starts a container again that has ended, with its volumes, as a kubelet does. */
  void restart(String container) throws IOException, InterruptedException {
    Docker.run("start", of(container));
  }

  /** A field of the state of a container, such as {@code OOMKilled}. */
  String state(String container, String field) throws IOException, InterruptedException {
    return Docker.inspect(of(container), "{{.State." + field + "}}");
  }

  /** All that it has printed. */
  String logs(String container) throws IOException, InterruptedException {
    return Docker.run("logs", of(container));
  }

  /** Where the sidecar's HTTP can be reached. */
  int port() {
    return port;
  }

  /** The body of an answer of the sidecar. */
  String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = answer(path);
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  private HttpResponse<String> answer(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** The histogram of all that a selector matches, since the totals began, in base64. */
  String histogram(String selector) throws IOException, InterruptedException {
    return get("/api/v1/histogram?format=v2&series="
            + URLEncoder.encode(selector, StandardCharsets.UTF_8))
        .strip();
  }

  /** Removes all of it. */
  void remove() throws IOException, InterruptedException {
    for (int i = containers.size() - 1; i >= 0; i--) {
      Docker.attempt(List.of("rm", "--force", of(containers.get(i))));
    }
    for (String volume : volumes) {
      Docker.attempt(List.of("volume", "rm", "--force", volume));
    }
  }
}
