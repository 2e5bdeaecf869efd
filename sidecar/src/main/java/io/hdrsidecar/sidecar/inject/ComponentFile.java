package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.input.DurationText;
import io.hdrsidecar.sidecar.input.WholeFile;
import io.hdrsidecar.sidecar.input.YamlText;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads the component from the files that kustomize and Helm use, too, under {@code k8s/component}:
 *
 * <ul>
 *   <li>{@code sidecar.yaml}, a patch of a workload: the container, its volumes, labels of the pod;
 *   <li>{@code pod.yaml}, a patch of a workload: fields of the whole pod;
 *   <li>{@code client.yaml}: variables and mounts of the application's container.
 * </ul>
 *
 * The jar has a copy of them, and of {@code crash-safe/sidecar.yaml}, the sidecar's part of the
 * variant of that name, which a folder may have.
 */
public final class ComponentFile {
  private static final String SIDECAR = "sidecar.yaml";
  private static final String POD = "pod.yaml";
  private static final String CLIENT = "client.yaml";
  private static final String CRASH_SAFE = "crash-safe/sidecar.yaml";

  private static final int MOST_FILE_BYTES = 1 << 20;

  /** What of a pod's security context is no other container's business but through volumes. */
  private static final Set<String> GROUP_FIELDS = Set.of("fsGroup", "fsGroupChangePolicy");

  private ComponentFile() {}

  /** The component of this build. */
  public static Component ofBuild() {
    try {
      return read(ComponentFile::resource);
    } catch (IOException | MalformedDocumentException e) {
      throw new IllegalStateException("the component in the jar cannot be read", e);
    }
  }

  /**
   * The component in a folder.
   *
   * @throws IOException naming a file that cannot be read, and what is there
   * @throws MalformedDocumentException naming the file, the field and what has to be there
   */
  public static Component read(Path folder) throws IOException, MalformedDocumentException {
    return read(
        name ->
            name.equals(CRASH_SAFE) && !Files.exists(folder.resolve(name))
                ? resource(name)
                : new ByteArrayInputStream(WholeFile.bytes(folder.resolve(name), MOST_FILE_BYTES)));
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = ComponentFile.class.getResourceAsStream(name);
    if (in == null) {
      throw new FileNotFoundException(name);
    }
    return in;
  }

  /** Where a file comes from. */
  private interface Source {
    InputStream open(String name) throws IOException;
  }

  private static Component read(Source source) throws IOException, MalformedDocumentException {
    Part template = document(source, SIDECAR).part("spec").part("template");
    Part pod = document(source, POD).part("spec").part("template").part("spec");
    Part client = document(source, CLIENT);
    boolean isNative = template.part("spec").has("initContainers");
    List<Part> containers = template.part("spec").parts(isNative ? "initContainers" : "containers");
    require(SIDECAR, containers.size() == 1, "must have one container, the sidecar");
    requireSidecar(containers.get(0).json());
    requireQuantities(containers.get(0).part("resources"));
    List<Part> mounts = client.parts("volumeMounts");
    require(CLIENT, !mounts.isEmpty(), "volumeMounts: must have the folder of the socket");
    Part securityContext = pod.part("securityContext");
    require(
        POD,
        GROUP_FIELDS.containsAll(securityContext.json().fieldNames()),
        "securityContext: may only set " + GROUP_FIELDS);
    return new Component(
        containers.get(0).json(),
        isNative,
        objects(template.part("spec").parts("volumes")),
        objects(client.parts("env")),
        objects(mounts),
        securityContext.json().getMap(),
        pod.number("terminationGracePeriodSeconds"),
        template.part("metadata").texts("labels"),
        template.part("metadata").texts("annotations"),
        crashFolder(document(source, CRASH_SAFE).part("spec").part("template").part("spec")));
  }

  private static Component.CrashFolderParts crashFolder(Part pod)
      throws MalformedDocumentException {
    List<Part> containers = pod.parts(pod.has("initContainers") ? "initContainers" : "containers");
    require(CRASH_SAFE, containers.size() == 1, "must have one container, the sidecar");
    return new Component.CrashFolderParts(
        one(containers.get(0), "env"), one(containers.get(0), "volumeMounts"), one(pod, "volumes"));
  }

  private static JsonObject one(Part parent, String key) throws MalformedDocumentException {
    List<Part> parts = parent.parts(key);
    require(CRASH_SAFE, parts.size() == 1, key + ": must have one entry");
    return parts.get(0).json();
  }

  /** What annotations may change has to be there. */
  private static void requireSidecar(JsonObject sidecar) throws MalformedDocumentException {
    require(
        SIDECAR,
        Component.NAME.equals(sidecar.getValue("name")),
        "the container must be named " + Component.NAME);
    for (String name : List.of(ComponentChange.SLA_FILE, ComponentChange.JOURNAL)) {
      require(
          SIDECAR,
          ComponentChange.mountOf(sidecar, value(sidecar, name)).isPresent(),
          name + " must name a path under one of volumeMounts");
    }
    try {
      DurationText.parse(value(sidecar, ComponentChange.DRAIN));
    } catch (IllegalArgumentException e) {
      throw new MalformedDocumentException(
          SIDECAR + ": " + ComponentChange.DRAIN + ": " + e.getMessage(), e);
    }
  }

  private static void requireQuantities(Part resources) throws MalformedDocumentException {
    for (String kind : List.of("requests", "limits")) {
      for (String text : resources.texts(kind).values()) {
        try {
          Quantity.parse(text);
        } catch (IllegalArgumentException e) {
          throw new MalformedDocumentException(
              SIDECAR + ": " + resources.pathTo(kind) + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private static String value(JsonObject sidecar, String variable)
      throws MalformedDocumentException {
    String value =
        ComponentChange.env(sidecar, variable).map(env -> env.getString("value", "")).orElse("");
    require(SIDECAR, !value.isEmpty(), "env: must have " + variable + " with a value");
    return value;
  }

  private static void require(String file, boolean isSo, String expected)
      throws MalformedDocumentException {
    if (!isSo) {
      throw new MalformedDocumentException(file + ": " + expected);
    }
  }

  private static List<JsonObject> objects(List<Part> parts) {
    return parts.stream().map(Part::json).toList();
  }

  private static Part document(Source source, String name)
      throws IOException, MalformedDocumentException {
    try (InputStream in = source.open(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Object root = YamlText.values(text);
      if (root instanceof Map<?, ?> map) {
        return Part.document(new JsonObject(withTextKeys(map)));
      }
      throw new MalformedDocumentException(name + ": must be a mapping");
    } catch (YAMLException e) {
      throw new MalformedDocumentException(name + ": not YAML: " + e.getMessage(), e);
    }
  }

  /** JSON knows no other names; YAML does. */
  private static Map<String, Object> withTextKeys(Map<?, ?> map) {
    Map<String, Object> texts = new HashMap<>();
    map.forEach((key, value) -> texts.put(String.valueOf(key), converted(value)));
    return texts;
  }

  private static Object converted(Object value) {
    if (value instanceof Map<?, ?> map) {
      return withTextKeys(map);
    }
    if (value instanceof List<?> list) {
      List<Object> values = new ArrayList<>();
      list.forEach(element -> values.add(converted(element)));
      return values;
    }
    return value;
  }
}
