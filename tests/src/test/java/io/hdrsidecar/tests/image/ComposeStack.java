package io.hdrsidecar.tests.image;

import io.hdrsidecar.tests.support.Tool;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What {@code docker compose up} would start, container by container with {@code docker run}. What
 * the file says is read, and checked against Compose's schema, by the library that Compose itself
 * is made with. Two things differ: containers have names of their own, and ports are free ones.
 */
public final class ComposeStack {
  private static final String STAND_IN = "stand-in";

  private final String name = "hdr-compose-" + UUID.randomUUID().toString().substring(0, 8);
  private final JsonObject model;
  private final Map<String, String> images;
  private final Map<String, List<String>> standIns = new HashMap<>();
  private final Set<String> started = new LinkedHashSet<>();

  private ComposeStack(JsonObject model, Map<String, String> images) {
    this.model = model;
    this.images = images;
  }

  /** Reads a file; nothing runs yet. */
  public static ComposeStack of(Path file) throws IOException, InterruptedException {
    String model = Tool.run(List.of("compose-model", file.toString()), Path.of("."));
    return new ComposeStack(new JsonObject(model), images());
  }

  /** The images of this checkout by the names that its scripts give them. */
  private static Map<String, String> images() throws IOException, InterruptedException {
    String version =
        Docker.inspect(
            Images.sidecar(), "{{index .Config.Labels \"org.opencontainers.image.version\"}}");
    return Map.of(
        "hdr-sidecar:" + version,
        Images.sidecar(),
        "hdr-sidecar-example:" + version,
        Images.example());
  }

  /**
   * Where the image of a language is not there to have: an empty one, with the programs of this
   * machine, which has to be Linux.
   *
   * @param image as the file names it
   * @param home the folder of the language, with {@code bin}
   */
  public void standIn(String image, String home) throws IOException, InterruptedException {
    if (standIns.isEmpty()) {
      importEmptyImage();
    }
    standIns.put(
        image,
        List.of(
            "--volume=/usr:/usr:ro",
            "--volume=" + home + ":" + home + ":ro",
            "--env=PATH=" + home + "/bin:/usr/bin",
            "--env=HOME=/tmp",
            of(STAND_IN)));
  }

  private void importEmptyImage() throws IOException, InterruptedException {
    Path root = Files.createDirectories(Path.of("target", "stand-in", "root").toAbsolutePath());
    for (String folder : List.of("bin", "lib", "lib64")) {
      Path link = root.resolve(folder);
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, Path.of("usr", folder));
    }
    Files.createDirectories(root.resolve("tmp"));
    String archive = root.resolveSibling("root.tar").toString();
    Tool.run(List.of("tar", "-cf", archive, "."), root);
    Docker.run("import", archive, of(STAND_IN));
  }

  /** What the file says about a service. */
  public JsonObject service(String service) {
    return model.getJsonObject("services").getJsonObject(service);
  }

  /** The file or folder of this machine that a service has at this path. */
  public Path mounted(String service, String target) {
    return objects(service(service).getJsonArray("volumes"))
        .filter(volume -> volume.getString("target").equals(target))
        .map(volume -> Path.of(volume.getString("source")))
        .findAny()
        .orElseThrow(() -> new AssertionError(service + " has nothing at " + target));
  }

  /** Starts these services, each after those it depends on. */
  public void start(String... services) throws IOException, InterruptedException {
    if (started.isEmpty()) {
      Docker.run("network", "create", name);
    }
    for (String service : services) {
      start(service);
    }
  }

  private void start(String service) throws IOException, InterruptedException {
    if (started.contains(service)) {
      return;
    }
    for (String other :
        service(service).getJsonObject("depends_on", new JsonObject()).fieldNames()) {
      start(other);
    }
    started.add(service);
    Docker.run(command(service));
  }

  private List<String> command(String service) {
    List<String> command = new ArrayList<>(List.of("run", "--detach", "--name=" + of(service)));
    command.addAll(List.of("--network=" + name, "--network-alias=" + service));
    service(service)
        .forEach(
            entry -> {
              if (entry.getValue() != null) {
                options(entry.getKey(), entry.getValue()).forEach(command::add);
              }
            });
    String image = service(service).getString("image");
    command.addAll(standIns.getOrDefault(image, List.of(images.getOrDefault(image, image))));
    if (service(service).getValue("command") instanceof JsonArray said) {
      said.forEach(argument -> command.add(argument.toString()));
    }
    return command;
  }

  /** What the file says under a key, for {@code docker run}. */
  private Stream<String> options(String key, Object value) {
    return switch (key) {
      case "image", "depends_on", "networks", "command" -> Stream.of();
      case "working_dir" -> Stream.of("--workdir=" + value);
      case "pull_policy" -> Stream.of("--pull=" + value);
      case "mem_limit" -> Stream.of("--memory=" + value);
      case "group_add" -> ((JsonArray) value).stream().map(group -> "--group-add=" + group);
      case "environment" ->
          ((JsonObject) value)
              .stream().map(each -> "--env=" + each.getKey() + "=" + each.getValue());
      case "ports" -> objects(value).map(ComposeStack::published);
      case "volumes" -> objects(value).map(this::mount);
      case "healthcheck" -> health((JsonObject) value);
      default ->
          throw new AssertionError("this test does not know how to do " + key + ": " + value);
    };
  }

  private static Stream<JsonObject> objects(Object array) {
    return ((JsonArray) array).stream().map(JsonObject.class::cast);
  }

  private static String published(JsonObject port) {
    return "--publish=%s::%d".formatted(port.getString("host_ip"), port.getInteger("target"));
  }

  /** Unlike --volume, this fails where a file is not there. */
  private String mount(JsonObject volume) {
    boolean file = volume.getString("type").equals("bind");
    return "--mount=type=%s,source=%s,target=%s%s"
        .formatted(
            volume.getString("type"),
            file ? volume.getString("source") : of(volume.getString("source")),
            volume.getString("target"),
            volume.getBoolean("read_only", false) ? ",readonly" : "");
  }

  private static Stream<String> health(JsonObject check) {
    Map<String, Object> left = new HashMap<>(check.getMap());
    JsonArray test = check.getJsonArray("test");
    left.remove("test");
    if (!test.getString(0).equals("CMD-SHELL")) {
      throw new AssertionError("docker run has checks by a shell only: " + test);
    }
    return Stream.concat(
        Stream.of("--health-cmd=" + test.getString(1)),
        left.entrySet().stream().map(each -> "--health-" + each.getKey() + "=" + each.getValue()));
  }

  private String of(String part) {
    return name + "-" + part;
  }

  /** Where a port of a service is reached from here, as {@code host:port}. */
  public String address(String service, int port) throws IOException, InterruptedException {
    return Docker.run("port", of(service), port + "/tcp").lines().findFirst().orElseThrow();
  }

  /** {@code docker stop}, as {@code docker compose down} does; gives the exit code. */
  public int stop(String service) throws IOException, InterruptedException {
    Docker.run("stop", of(service));
    return Integer.parseInt(Docker.inspect(of(service), "{{.State.ExitCode}}"));
  }

  /** What a service printed. */
  public String log(String service) throws IOException, InterruptedException {
    return Docker.run("logs", of(service));
  }

  /** {@code running} or how it ended; with a check of its health, what that says. */
  public String state(String service) throws IOException, InterruptedException {
    return Docker.inspect(
        of(service),
        "{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}");
  }

  /** Removes all that was started. */
  public void remove() throws IOException, InterruptedException {
    for (String service : started) {
      Docker.attempt(List.of("rm", "--force", "--volumes", of(service)));
    }
    for (String volume : model.getJsonObject("volumes").fieldNames()) {
      Docker.attempt(List.of("volume", "rm", "--force", of(volume)));
    }
    Docker.attempt(List.of("network", "rm", name));
    if (!standIns.isEmpty()) {
      Docker.attempt(List.of("image", "rm", of(STAND_IN)));
    }
  }
}
