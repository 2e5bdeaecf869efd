package io.hdrsidecar.tests.kubernetes;

import io.hdrsidecar.tests.support.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The manifests of this project, as kustomize writes them out. */
final class Manifests {
  static final Path FOLDER = Path.of("..", "k8s");

  private Manifests() {}

  /**
   * Every kustomization that can be applied as it is, by its folder below {@link #FOLDER}; but not
   * the webhook's, which needs a certificate.
   */
  static List<String> variants() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files
          .filter(file -> file.endsWith("kustomization.yaml"))
          .filter(file -> !file.startsWith(FOLDER.resolve("inject")))
          .filter(file -> read(file).contains("\nkind: Kustomization\n"))
          .map(file -> FOLDER.relativize(file.getParent()).toString())
          .sorted()
          .toList();
    }
  }

  /** Lines of all manifests in which one of these expressions is found. */
  static List<String> lines(String... expressions) throws IOException {
    Pattern pattern = Pattern.compile(String.join("|", expressions));
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml") && Files.isRegularFile(file))
          .flatMap(file -> read(file).lines())
          .filter(line -> !line.strip().startsWith("#") && pattern.matcher(line).find())
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@code kubectl apply -k} would send. */
  static String rendered(String variant) throws IOException, InterruptedException {
    return Tool.run(List.of("kubectl", "kustomize", FOLDER.resolve(variant).toString()), FOLDER);
  }

  /** The objects of a YAML text, in its order. */
  static List<Map<String, Object>> objects(String yaml) {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
      if (document != null) {
        objects.add(map(document));
      }
    }
    return objects;
  }

  /** The Pods that workloads among these objects would make, one each, in a namespace. */
  static List<Map<String, Object>> pods(List<Map<String, Object>> objects, String namespace) {
    return objects.stream()
        .filter(object -> isWorkload(object))
        .map(object -> pod(object, namespace))
        .toList();
  }

  private static boolean isWorkload(Map<String, Object> object) {
    return List.of("Deployment", "StatefulSet", "DaemonSet", "Job")
        .contains(String.valueOf(object.get("kind")));
  }

  private static Map<String, Object> pod(Map<String, Object> workload, String namespace) {
    Map<String, Object> template = map(in(workload, "spec", "template"));
    Map<String, Object> metadata = new LinkedHashMap<>(map(in(template, "metadata")));
    metadata.put("name", String.valueOf(in(workload, "metadata", "name")));
    metadata.put("namespace", namespace);
    Map<String, Object> spec = new LinkedHashMap<>(map(in(template, "spec")));
    spec.put("volumes", volumes(workload, spec));
    return Map.of("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec);
  }

  /** With the volumes that a StatefulSet's claims become. */
  private static List<Object> volumes(Map<String, Object> workload, Map<String, Object> spec) {
    List<Object> volumes = new ArrayList<>(list(spec.getOrDefault("volumes", List.of())));
    Map<String, Object> workloadSpec = map(in(workload, "spec"));
    for (Object claim : list(workloadSpec.getOrDefault("volumeClaimTemplates", List.of()))) {
      Object name = in(map(claim), "metadata", "name");
      volumes.add(
          Map.of("name", name, "persistentVolumeClaim", Map.of("claimName", name + "-pod-0")));
    }
    return volumes;
  }

  /** What is at the end of this path of fields; it must be there. */
  static Object in(Map<String, Object> object, String... path) {
    Object at = object;
    for (String field : path) {
      at =
          Objects.requireNonNull(
              map(at).get(field), () -> String.join(".", path) + " of " + object);
    }
    return at;
  }

  @SuppressWarnings("unchecked") // YAML read by SafeConstructor; keys of these objects are text
  static Map<String, Object> map(Object object) {
    return (Map<String, Object>) object;
  }

  @SuppressWarnings("unchecked") // as above
  static List<Object> list(Object object) {
    return (List<Object>) object;
  }

  /** As YAML, which kubectl reads. */
  static String yaml(Object object) {
    return new Yaml().dump(object);
  }
}
