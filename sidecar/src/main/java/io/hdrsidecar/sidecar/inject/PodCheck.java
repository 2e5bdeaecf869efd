package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Why a pod cannot have the sidecar: what is named alike and is something else, what the API server
 * would refuse afterwards, and where it would not work. All reasons at once.
 */
final class PodCheck {
  private static final String WINDOWS = "windows";
  private static final String LINUX = "linux";
  private static final String OS_LABEL = "kubernetes.io/os";
  private static final String ONLY_LINUX =
      "the sidecar's image is for Linux; record over TCP to a sidecar elsewhere";

  private final Pod pod;
  private final Component component;
  private final Overrides overrides;
  private final List<Problem> problems = new ArrayList<>();

  private PodCheck(Pod pod, Component component, Overrides overrides) {
    this.pod = pod;
    this.component = component;
    this.overrides = overrides;
  }

  /**
   * Looks at everything.
   *
   * @param component what this pod is to get
   */
  static List<Problem> problems(Pod pod, Component component, Overrides overrides)
      throws MalformedDocumentException {
    PodCheck check = new PodCheck(pod, component, overrides);
    check.requireSuitable();
    check.requireContainers();
    check.requireFreeName();
    check.requireFreePorts();
    check.requireVolumes();
    for (Part container : pod.recording(overrides)) {
      check.requireFreePaths(container);
    }
    return check.problems;
  }

  /** Whether the pod has a sidecar like ours, wherever it comes from. */
  static boolean hasSidecar(Pod pod, Component component) throws MalformedDocumentException {
    Optional<Part> named = Pod.named(pod.allContainers(), Component.NAME);
    return named.isPresent() && isOurs(named.get(), component);
  }

  /** A container of our name is ours when it has the folder of the socket where ours has it. */
  private static boolean isOurs(Part container, Component component)
      throws MalformedDocumentException {
    for (Part mount : container.parts("volumeMounts")) {
      if (isSameMount(mount.json(), component.socketMount())) {
        return true;
      }
    }
    return false;
  }

  static boolean isSameMount(JsonObject one, JsonObject other) {
    return String.valueOf(one.getValue("name")).equals(other.getValue("name"))
        && isSamePath(one, other);
  }

  private static boolean isSamePath(JsonObject one, JsonObject other) {
    return plainPath(one).equals(plainPath(other));
  }

  private static String plainPath(JsonObject mount) {
    String path = String.valueOf(mount.getValue("mountPath"));
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private void problem(String field, String message) {
    problems.add(new Problem(field, message));
  }

  private void requireSuitable() throws MalformedDocumentException {
    Part spec = pod.spec();
    if (spec.flag("hostNetwork")) {
      problem(
          spec.pathTo("hostNetwork"),
          "the sidecar's ports would be the node's, and a second such pod could not start; use a"
              + " pod network, or add the component by hand with ports of its own");
    }
    Part selector = spec.part("nodeSelector");
    if (spec.part("os").text("name").equals(WINDOWS)) {
      problem(spec.part("os").pathTo("name"), ONLY_LINUX);
    } else if (selector.text(OS_LABEL).equals(WINDOWS)) {
      problem(selector.pathTo(OS_LABEL), ONLY_LINUX);
    } else {
      requireAffinityToLinux();
    }
    if (spec.has("resources")) {
      problem(
          spec.pathTo("resources"),
          "limits of the whole pod would have to hold the sidecar's; set resources on containers,"
              + " or add the component by hand");
    }
  }

  /** Of the terms one is enough, so all of them must be against Linux. */
  private void requireAffinityToLinux() throws MalformedDocumentException {
    Part required =
        pod.spec()
            .part("affinity")
            .part("nodeAffinity")
            .part("requiredDuringSchedulingIgnoredDuringExecution");
    List<Part> terms = required.parts("nodeSelectorTerms");
    for (Part term : terms) {
      if (!isAgainstLinux(term)) {
        return;
      }
    }
    if (!terms.isEmpty()) {
      problem(required.pathTo("nodeSelectorTerms"), ONLY_LINUX);
    }
  }

  private static boolean isAgainstLinux(Part term) throws MalformedDocumentException {
    for (Part expression : term.parts("matchExpressions")) {
      boolean isNamed = expression.json().getJsonArray("values", new JsonArray()).contains(LINUX);
      String operator = expression.text("operator");
      if (expression.text("key").equals(OS_LABEL)
          && ((operator.equals("In") && !isNamed) || (operator.equals("NotIn") && isNamed))) {
        return true;
      }
    }
    return false;
  }

  private void requireContainers() throws MalformedDocumentException {
    List<String> wanted = overrides.containers();
    if (wanted == null || wanted.equals(Overrides.ALL)) {
      return;
    }
    for (String name : wanted) {
      if (Pod.named(pod.containers(), name).isEmpty()) {
        problem(
            PodAnnotation.CONTAINERS.field(),
            "no such container: "
                + LogSafeText.text(name)
                + "; the pod has: "
                + names(pod.containers()));
      }
    }
  }

  private static String names(List<Part> containers) throws MalformedDocumentException {
    List<String> names = new ArrayList<>();
    for (Part container : containers) {
      names.add(container.text("name"));
    }
    return LogSafeText.text(String.join(", ", names));
  }

  private void requireFreeName() throws MalformedDocumentException {
    Optional<Part> taken = Pod.named(pod.allContainers(), Component.NAME);
    if (taken.isPresent()) {
      problem(
          taken.get().pathTo("name"),
          "a container named "
              + Component.NAME
              + " is there that does not mount "
              + component.socketMount().getString("name")
              + " at "
              + component.socketMount().getString("mountPath")
              + "; rename it, or take the whole component");
    }
  }

  private void requireFreePorts() throws MalformedDocumentException {
    Set<Long> ours = new HashSet<>();
    for (Part port : Part.document(component.sidecar()).parts("ports")) {
      ours.add(port.number("containerPort"));
    }
    for (Part container : pod.allContainers()) {
      for (Part port : container.parts("ports")) {
        if (ours.contains(port.number("containerPort"))) {
          problem(
              port.pathTo("containerPort"),
              port.number("containerPort") + " is the sidecar's port, too; use another");
        }
      }
    }
  }

  private void requireVolumes() throws MalformedDocumentException {
    for (JsonObject ours : component.volumes()) {
      Optional<Part> there = Pod.named(pod.volumes(), ours.getString("name"));
      if (there.isPresent() && !PartialMatch.in(ours, there.get().json())) {
        problem(
            there.get().pathTo("name"),
            "a volume named "
                + ours.getString("name")
                + " is there from another source; rename it, or make it "
                + LogSafeText.text(ours.encode()));
      }
    }
    if (overrides.journal() instanceof Overrides.PodVolume volume
        && Pod.named(pod.volumes(), volume.name()).isEmpty()) {
      problem(
          PodAnnotation.JOURNAL.field(),
          "the pod has no volume "
              + LogSafeText.text(volume.name())
              + "; it has: "
              + names(pod.volumes()));
    }
  }

  private void requireFreePaths(Part container) throws MalformedDocumentException {
    for (Part mount : container.parts("volumeMounts")) {
      for (JsonObject ours : component.mounts()) {
        if (isSamePath(mount.json(), ours) && !isSameMount(mount.json(), ours)) {
          problem(
              mount.pathTo("mountPath"),
              ours.getString("mountPath")
                  + " is where "
                  + (ours.equals(component.socketMount())
                      ? "the sidecar's socket"
                      : "the crash folder")
                  + " has to be, and volume "
                  + LogSafeText.text(mount.text("name"))
                  + " is mounted there; mount it elsewhere, or leave this container out with "
                  + PodAnnotation.CONTAINERS.key());
        }
      }
    }
  }
}
